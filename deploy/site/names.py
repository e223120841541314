"""Name what the theme leaves without a name for screen readers: the search, and nested menus."""

import re

from mkdocs.config.defaults import MkDocsConfig

DIALOG = 'data-md-component="search" role="dialog"'
# A menu whose first entry is a page is named by a label that has only an icon.
MENU = re.compile(
    r'(<nav class="md-nav" data-md-level="\d" )aria-labelledby="[^"]+"([^>]*>\s*'
    r'<label class="md-nav__title"[^>]*>\s*'
    r'<span class="md-nav__icon md-icon"></span>\s*([^<]+?)\s*<)'
)


def on_post_template(output_content: str, template_name: str, config: MkDocsConfig) -> str:  # noqa: ARG001
    return _name(output_content)


def on_post_page(output: str, page: object, config: MkDocsConfig) -> str:  # noqa: ARG001
    return _name(output)


def _name(html: str) -> str:
    html = html.replace(DIALOG, f'{DIALOG} aria-label="Search"')
    return MENU.sub(r'\1aria-label="\3"\2', html)
