"""What the site is made of: the reference from docstrings, formulas as MathML, links, contents."""

import importlib
import re
from xml.etree import ElementTree

import pytest
from support.pages import DOCS

import confmat as cm
from confmat.callables.phrases import equation
from confmat.registry import facts, regression_facts, score_facts

pytest.importorskip("numpydoc")
pytest.importorskip("latex2mathml")


@pytest.fixture(scope="module")
def modules():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(DOCS)
        return {name: importlib.import_module(name) for name in ("website", "api_pages", "mathml")}


@pytest.fixture(scope="module")
def reference(modules):
    return modules["api_pages"].api_pages()


def test_every_public_name_is_in_the_reference(reference):
    text = "\n".join(reference.values())
    named = set(re.findall(r"^##? `?(?:cm\.)?(\w+)", text, re.MULTILINE))
    assert set(cm.__all__) - {"__version__"} <= named


def test_signatures_are_those_of_the_code(reference):
    page = reference["api/functions.md"]
    assert "cm.sweep(\n    y_true: Any,\n    y_score: Any,\n    *,\n" in page
    assert "\ncm.from_bytes(data: bytes) -> AnyState\n" in page
    matrix = reference["api/ConfusionMatrix.md"]
    assert "\nreason(\n    name: str,\n" in matrix  # a method, without its object
    assert "\nfrom_bytes(data: bytes) -> Self\n" in matrix
    assert "inspect._empty" not in "".join(reference.values())


def test_docstrings_are_markdown(modules):
    def documented():
        r"""Say it: a_b * c, `code_here`.

        .. math::

            \frac{a}{b}

        Parameters
        ----------
        x : {"a", "b"}
            First <b>.

            - `one`
            - two
        """

    text = modules["api_pages"].body(documented)
    assert r"a\_b \* c, `code_here`." in text
    assert "```math\n\\frac{a}{b}\n```" in text
    assert '- `x` ({"a", "b"}): First \\<b>.\n\n    - `one`\n    - two' in text


def test_every_formula_is_mathml(modules):
    rows = [*facts(), *score_facts(), *regression_facts()]
    text = "\n".join(f"```math\n{equation(row)}\n```" for row in rows)
    made = modules["mathml"].with_mathml(text)
    formulas = re.findall(r"<math.*?</math>", made)
    assert len(formulas) == len(rows)
    assert "```" not in made
    for formula in formulas:
        assert "\\" not in "".join(ElementTree.fromstring(formula).itertext())


def test_code_is_no_formula(modules):
    text = "```python\n$`x`$\n```\n$`y_1`$ and `code`"
    made = modules["mathml"].with_mathml(text)
    assert made.startswith("```python\n$`x`$\n```\n<span><math")
    assert made.endswith("</span> and `code`")


def test_links_lead_within_the_site(modules):
    website = modules["website"]
    known = website.sources()
    text = (
        "[b](../benchmarks/README.md#results) [c](choosing.md) [e](../examples) ![p](scale.png) "
        "[w](https://example.org/x)"
    )
    assert website.linked(text, "docs/how.md", known) == (
        "[b](benchmarks.md#results) [c](choosing.md) e ![p](scale.png) [w](https://example.org/x)"
    )
    assert website.linked("[m](../metrics.md)", "docs/migration/pycm.md", known) == (
        "[m](../metrics.md)"
    )


def test_contents_have_every_page_of_the_site(modules, reference):
    yaml = pytest.importorskip("yaml")
    nav = yaml.safe_load((DOCS.parent / "mkdocs.yml").read_text("utf-8"))["nav"]
    listed = [page for part in nav for _, page in modules["website"].leaves(part)]
    assert sorted(listed) == sorted([*modules["website"].sources().values(), *reference])
