"""The pages on gates and on files of states: their commands and examples give what they show."""

import doctest
import re
import shlex

import pytest
from support.pages import page

pytest.importorskip("typer")

BLOCK = re.compile(r"```(\w+)\n(.*?)```", re.DOTALL)


def lines(text):
    return [line.rstrip() for line in text.strip("\n").splitlines()]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder where the pages are gone through, one after the other."""
    return tmp_path_factory.mktemp("pages")


@pytest.mark.parametrize("name", ["gates.md", "states.md"])
def test_page(run, folder, monkeypatch, name):
    if name == "states.md" and not (folder / "summer-states.parquet").exists():
        test_page(run, folder, monkeypatch, "gates.md")
    monkeypatch.chdir(folder)
    blocks = BLOCK.findall(page(name))
    for kind, text in blocks:
        if kind == "toml":
            (folder / text.partition("\n")[0].removeprefix("# ")).write_text(text)
    globs, said, done = {}, [], 0
    for kind, text in blocks:
        if kind == "sh":
            for command in text.replace("\\\n", "").splitlines():
                assert run(*shlex.split(command)[1:])[0] == 0, command
        elif kind == "console":
            command, _, wanted = text.removeprefix("$ ").partition("\n")
            code, printed, err = run(*shlex.split(command)[1:])
            assert lines(printed or err) == lines(wanted), command
            assert code in (0, 1, 2)
            done += 1
        elif kind == "pycon":
            test = doctest.DocTestParser().get_doctest(text, globs, name, None, 0)
            runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
            runner.run(test, out=said.append, clear_globs=False)
            globs = test.globs
    assert not said, "".join(said)
    assert done == 2
