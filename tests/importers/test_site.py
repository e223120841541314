"""Built pages: the main part, tabs, code, junk, addresses, titles, versions and dates."""

from typing import Any

import pytest

from tests.importers.conftest import Write, folders, imported
from tests.importers.repositories import commit, git

MADE = "<meta name=generator content=Hugo>"
HEAD = "<title>{0} — Manual</title><link rel=canonical href=https://example.com/{1}>"
FORMULA = "<math><mi>x</mi><annotation encoding=application/x-tex>x^2</annotation></math>"


def page(body: str, name: str = "Page", address: str = "page", head: str = "") -> str:
    return (
        f"<html lang=en><head>{HEAD.format(name, address)}{head}</head><body>{body}</body></html>"
    )


def text_of(write: Write, body: str) -> str:
    ((data,), _) = imported(folders, write("page.html", page(body)))
    return str(data["content"]).strip()


@pytest.mark.parametrize(
    "body",
    [
        "<nav>x</nav><div data-pagefind-body>Words</div><main>x</main>",
        "<main>x<div itemprop=articleBody>Words</div></main>",
        "<main><div class='theme-doc-markdown markdown'>Words</div>x</main>",
        "<main><article class=bd-article>Words</article>x</main>",
        "<main>x<div class=vp-doc>Words</div></main>",
        "<div>From our wiki</div><div id=mw-content-text>Words</div><div>Categories</div>",
        "<main>x<article>Words</article></main>",
        "<div>x</div><main>Words</main>",
        "<div>x</div><div role=main>Words</div>",
        "<header>x x x</header><article>Words</article>",
    ],
)
def test_main_part_is_the_first_that_fits(write: Write, body: str) -> None:
    assert text_of(write, body) == "Words"


def test_panels_of_tabs_are_text(write: Write) -> None:
    body = (
        "<main>One<div role=tabpanel hidden>Two</div>"
        "<div x-show='a' style='display:none'>Three</div>"
        "<button aria-controls=p>b</button><div id=p hidden>Four</div><p hidden>SECRET</p></main>"
    )
    assert text_of(write, body).split() == ["One", "Two", "Three", "Four"]


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ("<pre><code class=language-sh>a<br>b</code></pre>", "```sh\na\nb\n```"),
        ("<div class='highlight-python x'><div class=highlight><pre>a\n</pre></div></div>",
         "```python\na\n```"),
        ("<pre data-language=js><div class=ec-line>a</div><div class=ec-line>b</div></pre>",
         "```js\na\nb\n```"),
        ("<pre>a ``` b</pre>", "````\na ``` b\n````"),
        ("<p>a <code>b`c</code></p>", "a ``b`c``"),
    ],
)  # fmt: skip
def test_code_has_its_language_and_lines(write: Write, block: str, expected: str) -> None:
    assert text_of(write, f"<main>{block}</main>") == expected


def test_what_surrounds_the_text_is_left_out(write: Write) -> None:
    body = (
        "<main><ul class=breadcrumbs><li>Home</ul><div class=theme-doc-version-banner>Old</div>"
        "<h1>Head<a class=headerlink href=#head>¶</a></h1><p class=tsd-anchor-link>Words</p>"
        "<a href=https://github.com/a/b/edit/main/docs/page.md>Edit this page</a>"
        "<p>Last updated: <time datetime=2024-01-02T00:00:00Z>then</time></p>"
        "<nav>Next</nav><div class=pagination>Previous</div></main>"
    )
    ((data,), _) = imported(folders, write("page.html", page(body)))
    assert data["content"] == "# Head\n\nWords\n"
    assert data["updatedAt"] == "2024-01-02T00:00:00Z"
    assert data["sourceHref"] == "https://example.com/page"


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ("<div data-pagefind-ignore><ul><li>src/</ul></div>", "- src/"),
        ("<a href=/a>A</a><a href=/b>B</a>", "[A](/a) [B](/b)"),
        ('<b><span class="sr-only">Folder</span>src</b>', "**Folder src**"),
        (f"{FORMULA} {FORMULA} <a href=javascript:a()>A</a>", "$x^2$ $x^2$ A"),
        ("<table><tr><td><i title=Note></i><td><p>Words</table>", "Note\n\nWords"),
        ("<span class=selected-value>R</span><span class=selected-value>QGIS</span>", "R QGIS"),
        ("<label for=a>setup.py</label><label for=b>setup.cfg</label>", "setup.py setup.cfg"),
        ("<pre>a</pre><div class=clipboard-copy-txt>a</div>", "```\na\n```"),
    ],
)
def test_words_are_whole_and_apart(write: Write, part: str, expected: str) -> None:
    assert text_of(write, f"<main>{part}</main>") == expected


@pytest.mark.parametrize("control", ["\x01", "\x0b", "\ufffe", "&#1;", "&#x1F;", "&#xfffe;"])
def test_control_characters_are_left_out(write: Write, control: str) -> None:
    body = f"<img alt='a{control}'> <a href='/x{control}'>b</a> <script></script>c{control}&#39;"
    assert text_of(write, f"<main>{body}</main>") == "a [b](/x) c'"


def test_edit_link_and_last_update_may_stand_below_the_text(write: Write) -> None:
    footer = "<footer><p>Last updated: <time datetime=2024-01-02T00:00:00Z>then</time></p></footer>"
    ((data,), _) = imported(folders, write("page.html", page(f"<main>Words</main>{footer}")))
    assert (data["content"], data["updatedAt"]) == ("Words\n", "2024-01-02T00:00:00Z")


def test_merged_cells_keep_their_columns(write: Write) -> None:
    rows = "<tr><th>a<th>b|c<tr><td rowspan=2>1<td>2<tr><td>3<tr><td colspan=2>4"
    expected = "| a | b\\|c |\n| --- | --- |\n| 1 | 2 |\n|  | 3 |\n| 4 | |"
    assert text_of(write, f"<main><table>{rows}</table></main>") == expected


def site(write: Write, **pages: str) -> dict[str, dict[str, Any]]:
    """The documents of a site by path, of which each one says its path."""
    for name, content in pages.items():
        write(f"site/{name.replace('__', '/')}.html", content)
    items, report = imported(
        folders, write("site/index.html", page("<main>index", "Home", "")).parent
    )
    assert not report.refused
    return {data["content"].strip(): data for data in items}


def test_pages_without_a_text_of_their_own_are_left_out(write: Write) -> None:
    documents = site(
        write,
        guide=page("<main>guide", "Guide", "guide"),
        old=page("<main>old", "Old", "old", "<meta http-equiv=refresh content='0; url=guide'>"),
        copy=page("<main>copy", "Guide", "guide"),
        hidden=page("<main>hidden", "Hidden", "hidden", "<meta name=robots content=noindex>"),
        search=page("<main>search", "Search", "search"),
        en__404=page("<main>404", "Error", "en/404"),
        library__search=page("<main>std::search", "Search", "library/search"),
        library__category=page("<main>category()", "C", "library/c", MADE),
        genindex=page("<main>genindex", "Index", "genindex"),
        print=page("<main>print", "Print", "print"),
        blog__tags__a=page("<main>tag", "Tag", "tags/a", MADE),
        blog__archive=page("<main>posts", "Archive", "blog/archive", MADE),
        fr__docs__next__tags__a=page("<main>tag", "Tag", "docs/tags/a", MADE),
        post__page__2__index=page("<main>posts", "Posts", "post/page/2", MADE),
        guides__archive=page("<main>archive", "Archive", "guides/archive", MADE),
        guides__page__2=page("<main>page 2", "Page", "guides/page/2", MADE),
        api__tags=page("<main>tags", "Tags", "api/tags", MADE),
        api__tags__create=page("<main>create", "Create", "api/tags/create", MADE),
        more=page("<main>more", "More", "more"),
        _modules__a=page("<main>module", "Module", "m"),
    )
    texts = {"guide", "archive", "page 2", "tags", "create", "more", "std::search", "category()"}
    assert documents.keys() == {"index", *texts}
    assert {documents[name]["title"] for name in ("index", "guide")} == {"Home", "Guide"}


@pytest.mark.parametrize("title", ["Manual - {}", "Manual : {}", "{} | Manual", "Manual"])
def test_title_has_nothing_that_most_pages_share(write: Write, title: str) -> None:
    pages = {name: f"<title>{title.format(name)}</title><h1>{name}</h1>" for name in "abc"}
    documents = site(write, **pages)
    assert {documents[f"# {name}"]["title"] for name in "abc"} == {"a", "b", "c"}


def test_one_version_and_language_is_read(write: Write) -> None:
    version = "<meta name=docusaurus_version content={}>"
    french = page("<main>fr", "Guide", "fr/guide").replace("lang=en", "lang=fr")
    pages = {
        "docs__a": page("<main>2.0", "A", "a", version.format("2.0")),
        "docs__1.0__a": page("<main>1.0", "A", "1.0/a", version.format("1.0")),
        "docs__next__a": page("<main>next", "A", "next/a", version.format("current")),
        "guide": page("<main>en", "Guide", "guide"),
        "fr__guide": french,
    }
    assert site(write, **pages).keys() == {"index", "2.0", "en"}
    folder = write("site/index.html", page("<main>index", "Home", "")).parent
    assert len(imported(folders, folder, all_versions=True)[0]) == 6


def test_all_pages_may_say_noindex(write: Write) -> None:
    folder = write("a.html", page("<main>a", head="<meta name=robots content=noindex>")).parent
    assert len(imported(folders, folder)[0]) == 1


def test_time_of_the_build_is_no_date(write: Write) -> None:
    stamp = "<meta property=article:modified_time content=2025-05-05T00:00:0{}Z>"
    pages = {f"p{n}": page(f"<main>p{n}", f"P{n}", f"p{n}", stamp.format(n)) for n in range(4)}
    dates = {data["updatedAt"] for data in site(write, **pages).values()}
    assert not [date for date in dates if date.startswith("2025-05-05")]


def test_page_with_broken_addresses_is_read(write: Write) -> None:
    head = "<link rel=canonical href='http://[x'><link rel=alternate hreflang=en href='//[y'>"
    link = "<a href='https://[z/edit/main/a.md'>Edit</a>"
    pages = {name: f"{head}<main>{name} {link}" for name in "ab"}
    assert site(write, **pages).keys() == {"index", "a", "b"}


def test_page_is_dated_by_the_file_of_its_edit_link(write: Write, tmp_path: Any) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "docs").mkdir()
    commit(tmp_path / "docs", 7, page="Text")
    link = "<a href=https://example.com/a/b/edit/main/docs/page.md>Edit</a>"
    folder = write("site/index.html", page(f"<main>Words {link}")).parent
    ((data,), _) = imported(folders, folder)
    assert data["updatedAt"] == "2024-01-07T00:00:00Z"
