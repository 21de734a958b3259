"""Build the site into ``build/site``: ``website.py [--with mkdocs zensical]``; warnings are errors.

Its pages are laid into ``build/pages`` first: those of this folder, the reference made from
docstrings, formulas as MathML, and ``llms.txt``. What `mkdocs.yml` says is read by both builders.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from api_pages import api_pages
from mathml import with_mathml

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "build" / "pages"
ELSEWHERE = {  # pages of the site that lie in other folders
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "benchmarks/README.md": "benchmarks.md",
}
BUILDERS = ("mkdocs", "zensical")
_OF_DOCTEST = re.compile(r"^<BLANKLINE>$|  # doctest: .*$", re.MULTILINE)  # no reader needs it
_LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)#\s]+)(#[^)\s]*)?\)")


def sources() -> dict[str, str]:
    """Return where in the repository each page lies, and where in the site it goes."""
    docs = ROOT / "docs"
    found = sorted(docs.rglob("*.md"), key=lambda path: path.parts)
    own = [path for path in found if "templates" not in path.parts]
    return {str(path.relative_to(ROOT)): str(path.relative_to(docs)) for path in own} | ELSEWHERE


def linked(text: str, source: str, known: dict[str, str]) -> str:
    """Return a page whose links lead to pages of the site; a file that has none is plain text."""

    def moved(found: re.Match[str]) -> str:
        picture, words, target, part = found.groups()
        if ":" in target:
            return found[0]
        path = os.path.normpath(Path(source).parent / target)
        if picture or not (ROOT / path).exists():  # the builders say what leads nowhere
            return found[0]
        if path not in known:
            return words
        return f"[{words}]({os.path.relpath(known[path], Path(known[source]).parent)}{part or ''})"

    return _LINK.sub(moved, text)


def lay() -> None:
    """Write the pages and pictures, and ``llms.txt``."""
    shutil.rmtree(PAGES, ignore_errors=True)
    known = sources()
    texts = {
        page: linked((ROOT / source).read_text(encoding="utf-8"), source, known)
        for source, page in known.items()
    }
    for page, text in (texts | api_pages()).items():
        (PAGES / page).parent.mkdir(parents=True, exist_ok=True)
        (PAGES / page).write_text(with_mathml(_OF_DOCTEST.sub("", text)), encoding="utf-8")
    for pattern in ("*.png", "*.svg", "*.css"):
        for path in (ROOT / "docs").glob(pattern):
            shutil.copy(path, PAGES)
    (PAGES / "llms.txt").write_text(llms(), encoding="utf-8")


def llms() -> str:
    """Return the table of contents for language models, from that of the site."""
    config = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    lines = [f"# {config['site_name']}", "", f"> {config['site_description']}"]
    for part in config["nav"]:
        lines += ["", f"## {next(iter(part))}", ""]
        for name, page in leaves(part):
            address = page.removesuffix(".md") + ".html"
            lines.append(f"- [{name}]({address}): {opening(page)}")
    return "\n".join(lines) + "\n"


def leaves(part: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Return the titles and files below a part of the contents, at any depth."""
    for title, below in part.items():
        if isinstance(below, str):
            yield title, below
        else:
            for one in below:
                yield from leaves(one)


def opening(page: str) -> str:
    """Return the first sentences of a page."""
    blocks = (PAGES / page).read_text(encoding="utf-8").split("\n\n")
    first = next((b for b in blocks if re.match(r"[A-Za-z*`]", b)), "")
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", " ".join(first.split()))
    return re.sub(r"\\(.)", r"\1", plain)


def main(arguments: list[str]) -> int:
    """Build the site with each builder named; the exit code is that of the first that fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--with", dest="builders", nargs="+", choices=BUILDERS, default=["mkdocs"])
    builders = parser.parse_args(arguments).builders
    lay()
    settings = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    for builder in builders:
        command = [sys.executable, "-m", builder, "build", "--strict", "--clean"]
        run = subprocess.run(command, cwd=ROOT, env=settings, check=False)
        if run.returncode:
            return run.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
