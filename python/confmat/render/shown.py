"""How objects are shown: by `print`, by notebooks and by Rich, all from one text and one page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from confmat.own_errors import OwnErrors
from confmat.render.frames import html_of, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    import polars as pl
    from rich.text import Text


class Shown(OwnErrors):
    """A title and tables, where a class does not bring a text and a page of its own."""

    __slots__ = ()

    def _title(self) -> str:
        """Return one line about the object."""
        raise NotImplementedError

    def _frames(self) -> list[pl.DataFrame]:
        """Return the tables that follow it."""
        raise NotImplementedError

    def __str__(self) -> str:
        """Return one screen of text."""
        return text_of(self._title(), self._frames())

    def _repr_html_(self) -> str:
        return html_of(self._title(), self._frames())

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """Return all that a frontend may choose from; IPython leaves out what is not wanted."""
        return {"text/plain": str(self), "text/html": self._repr_html_()}

    def __rich_console__(self, console: Any, options: Any) -> Iterator[Text]:
        """Give Rich the screen: labels are no markup, and lines are cut, not wrapped."""
        from rich.text import Text

        title, _, rest = str(self).partition("\n")
        shown = Text(title, style="bold", no_wrap=True, overflow="ellipsis")
        shown.append(f"\n{rest}" if rest else "", style="not bold")
        shown.highlight_regex(r"(?m)^-{3,}$", "dim")
        yield shown
