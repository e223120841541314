"""Convert Markdown and other texts of a folder.

The id of a document is derived from its path, so that edits keep it. Texts stay as they are, except
that Markdown loses its front matter, and that includes and shortcodes are replaced.
"""

from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from orgctx.importers.folder.conversion import ConversionError, Converted
from orgctx.importers.folder.files import File
from orgctx.importers.markdown import front_matter, markup
from orgctx.importers.markdown.comments import without_comments
from orgctx.importers.markdown.front_matter import (
    FrontMatter,
    format_of,
    read_front_matter,
    read_plain,
    split,
)
from orgctx.importers.markdown.includes import Includes
from orgctx.importers.markdown.pages import Titles, page_dates
from orgctx.importers.markdown.publishing import PARTS, Publishing
from orgctx.importers.report import Report

# Front matter to append to the text, so that a search finds it.
SEARCHABLE = ("description", "summary", "aliases", "tags", "keywords", "categories")


class Texts:
    """What the texts of one folder share: rules, history, includes and titles."""

    def __init__(
        self,
        folder: Path,
        files: Sequence[File],
        report: Report,
        include_drafts: bool,
    ) -> None:
        """Read them; `begin` completes them.

        Args:
            files: all files of the folder; those of other formats may hold configuration.
            include_drafts: that of `folder.importer.records`.
        """
        self.folder, self.report, self.includes_drafts = folder, report, include_drafts
        texts = (file for file in files if format_of(file))
        # Parts come last: those that a page contains are no pages.
        self.files = sorted(texts, key=lambda file: PARTS.search(file.path) is not None)
        self.publishing = Publishing.of(folder, files, read_front_matter, report)
        self.is_vault = markup.is_vault(folder)
        parents = {PurePosixPath(file.parent) for file in files}
        folders = {name for parent in parents for name in (parent, *parent.parents)}
        has_vault = self.is_vault or any((folder / name / ".obsidian").is_dir() for name in folders)
        self.includes = Includes(
            folder.resolve().name, files, self.publishing, report, is_vault=has_vault
        )

    def begin(self, label: str) -> None:
        """Prepare to convert. label: of the source."""
        self.titles = Titles(label, self.files, is_vault=self.is_vault)


def convert(file: File, texts: Texts) -> Converted | None:
    """Convert a text. Returns None, after reporting why, if it is not published.

    Raises OSError, BrokenFrontMatter, and ValueError with the reason.
    """
    reason = texts.publishing.path_reason(file)  # also if its front matter is broken
    if not reason or texts.includes_drafts:
        front, content = texts.titles.read(file)
        reason = texts.publishing.reason(file, front)
        if file.path in texts.includes.parts:
            reason = reason or "not published: a part of other pages"
    if reason and not texts.includes_drafts:
        texts.report.skip(reason, file.path)
        return None
    content_format = format_of(file) or ""
    is_markdown = content_format == "markdown"
    content, skipped = texts.includes.expand(file, front, content)
    if is_markdown and texts.is_vault:
        content = markup.without_obsidian_links(content)
    created, updated = page_dates(file, front, texts.report)
    return Converted(
        title=texts.titles.title(file, front, content),
        content=content + _searchable(front, content) if is_markdown else content,
        content_format=content_format,
        created=created,
        updated=updated,
        visibility=front_matter.visibility_of(front),
        is_archived=front.flag("archived") is True,
        skipped=skipped,
        is_draft=reason is not None,
    )


def convert_notion(file: File, _: None) -> Converted:
    """Convert a page of a Notion export. Raises one of DAMAGED, and ConversionError.

    Front matter is rejected, because only imports of folders follow its rules.
    """
    text = read_plain(file)
    front, content = split(text)
    if front.members or content != text:
        raise ConversionError("has front matter; unpack the archive and import the folder")
    document = Converted()
    document.content = without_comments(text, ".md", document.skipped)
    return document


def _searchable(front: FrontMatter, content: str) -> str:
    """Format the searchable front matter as a list to append to the text."""
    lines = []
    for name in SEARCHABLE:
        words = [word for word in front_matter.texts_of(front.get(name)) if word not in content]
        if words:
            lines.append(f"- {name.capitalize()}: {', '.join(words)}\n")
    before = "\n" if content.endswith("\n") else "\n\n"
    return f"{before}---\n\n{''.join(lines)}" if lines else ""
