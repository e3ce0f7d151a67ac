"""The reports that people read: totals that add up, nothing of a manifest that a reader's tool would obey."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest

EVIL = 'x<script>alert(1)</script>|`"[go](https://evil.example)<!--'
MANIFEST = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: chat, namespace: llm}
spec:
  template:
    spec:
      priorityClassName: urgent
      containers:
      - name: main
        image: chat:1
        # </pre><script>alert(2)</script> ```
        resources: {limits: {nvidia.com/gpu: 1}}
---
apiVersion: v1
kind: Pod
metadata: {name: half, namespace: lab}
spec:
  containers:
  - name: %s
    resources: {limits: {nvidia.com/gpu: 0.5}}
---
apiVersion: v1
kind: Pod
metadata: {name: old, namespace: lab, annotations: {dralint.io/keep: legacy}}
spec:
  containers:
  - name: main
    resources: {limits: {nvidia.com/mig-1g.10gb: 2}}
"""


@pytest.fixture
def reports(dralint, tmp_path, monkeypatch) -> dict[str, str]:
    """The report of one conversion in each form, by its ending."""
    monkeypatch.chdir(tmp_path)
    Path("a.yaml").write_text(MANIFEST % json.dumps(EVIL))
    for ending in ("json", "md", "html"):
        ran = dralint("convert", "--report", f"out.{ending}", "a.yaml")
        assert ran.code == 1
    return {ending: Path(f"out.{ending}").read_text() for ending in ("json", "md", "html")}


class _Page(HTMLParser):
    """The tags of a page, and the texts of its table rows."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.loaded: list[str] = []
        self.rows: list[list[str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.loaded += [value or "" for name, value in attrs if name in ("src", "href")]
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th") and self.rows:
            self.rows[-1].append("")

    def handle_data(self, data: str) -> None:
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += data


def _added_up(table: list[list[str]]) -> None:
    """Each row adds up to its first number, and the rows to the last one."""
    *rows, last = [[int(cell) for cell in row[1:6]] for row in table]
    assert rows
    for total, *counts in [*rows, last]:
        assert total == sum(counts)
    assert last == [sum(column) for column in zip(*rows, strict=True)]


def test_json_knows_the_workloads(reports):
    data = json.loads(reports["json"])
    assert [each["advice"] for each in data["workloads"]] == ["stay", "wait", "stay"]
    assert sum(each["occurrences"] for each in data["workloads"]) == len(data["occurrences"]) == 3
    assert data["steps"][0]["title"].startswith("Build a new cluster")


def test_markdown_says_all_and_escapes_it(reports, snapshot):
    text = reports["md"]
    assert text == snapshot
    outside = re.sub(r"(?ms)^(`{3,})diff\n.*?^\1$", "", text)
    assert "<script" not in re.sub(r"`[^`\n]*`", "", outside).replace("\\<", "")
    tables = re.findall(r"\| (?:namespace|kind) \|.*\n\| ---.*\n((?:\|.*\n)+)", text)
    assert len(tables) == 2
    for table in tables:
        _added_up([line.strip("| ").split(" | ") for line in table.splitlines()])


def test_a_fence_is_longer_than_what_it_holds(reports):
    (fence,) = re.findall(r"(?m)^(`{3,})diff$", reports["md"])
    assert fence == "````"


def test_html_is_one_file_and_obeys_nothing_of_a_manifest(reports):
    page = _Page(reports["html"])
    assert page.tags["script"] == page.tags["style"] == 1
    assert all(each.startswith("#") for each in page.loaded)
    assert "default-src 'none'" in reports["html"]


def test_html_adds_up(reports):
    rows = _Page(reports["html"]).rows
    heads = [
        index
        for index, row in enumerate(rows)
        if row[:2] in (["namespace", "requests"], ["kind", "requests"])
    ]
    assert len(heads) == 2
    for start in heads:
        end = next(index for index in range(start, len(rows)) if rows[index][0] == "all")
        _added_up(rows[start + 1 : end + 1])


@pytest.mark.parametrize("ending", ["md", "html"])
def test_a_report_of_nothing(dralint, tmp_path, monkeypatch, ending):
    monkeypatch.chdir(tmp_path)
    Path("a.yaml").write_text("kind: nvidia.com\n")
    assert dralint("convert", "--report", f"out.{ending}", "a.yaml").code == 0
    text = Path(f"out.{ending}").read_text()
    assert "Move to Dynamic Resource Allocation" in text
    assert "What to do on the cluster" not in text


@pytest.mark.parametrize("ending", ["md", "html"])
def test_what_could_not_be_read_stands_in_the_report(dralint, tmp_path, monkeypatch, ending):
    monkeypatch.chdir(tmp_path)
    Path("a.yaml").write_text(MANIFEST % "main")
    Path("broken.yaml").write_text("nvidia.com/gpu: [\n")
    assert dralint("convert", "--report", f"out.{ending}", ".").code == 2
    assert "broken.yaml" in Path(f"out.{ending}").read_text().partition("What to do on the cluster")[0]


def test_a_report_has_an_end(dralint, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    comment = f"        # {'long ' * 4000}\n"
    for number in range(30):
        Path(f"{number:02}.yaml").write_text(
            (MANIFEST % "main").replace("image: chat:1\n", f"image: chat:1\n{comment}", 1)
        )
    dralint("convert", "--report", "out.html", ".")
    text = Path("out.html").read_text()
    assert 300_000 < len(text) < 1_000_000
    shown = text.count("<details")
    assert f"{30 - shown} more changed files" in text


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    """A headless Chromium."""
    if not (shutil.which("chromium") and shutil.which("chromedriver")):
        message = "chromium and chromedriver are missing"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    from selenium.webdriver import Chrome, ChromeOptions, ChromeService

    options = ChromeOptions()
    options.binary_location = str(shutil.which("chromium"))
    for each in (
        "headless",
        "no-sandbox",
        "disable-gpu",
        "disable-dev-shm-usage",
        "disable-background-networking",
        "disable-component-update",
        "disable-sync",
        "no-first-run",
        f"user-data-dir={tmp_path_factory.mktemp('chromium')}",
        "window-size=1200,1600",
    ):
        options.add_argument(f"--{each}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = Chrome(options, ChromeService(shutil.which("chromedriver")))
    yield driver
    driver.quit()


def _visible(browser, table: str) -> list[str]:
    rows = browser.find_elements("css selector", f"#{table} tr")
    return [row.text for row in rows if row.is_displayed()]


def test_in_a_browser(browser, reports):
    browser.get(Path("out.html").absolute().as_uri())
    cards = browser.find_elements("css selector", "#totals .card b")
    assert [int(card.text) for card in cards] == [3, 1, 1, 1, 0]
    assert len(_visible(browser, "request-rows")) == 3
    search, *boxes = browser.find_elements("css selector", "[data-table=request-rows] input")
    search.send_keys("HALF")
    (row,) = _visible(browser, "request-rows")
    assert EVIL in row
    assert browser.find_element("css selector", "[data-table=request-rows] .shown").text == "1 of 3"
    search.clear()
    search.send_keys(" ")
    kept = next(box for box in boxes if box.get_attribute("value") == "kept")
    kept.click()
    assert len(_visible(browser, "request-rows")) == 2
    (diff,) = browser.find_elements("css selector", "#diffs details")
    assert diff.get_attribute("open")
    assert "+kind: ResourceClaimTemplate" in diff.text
    # Nothing was written outside the sheet, and nothing was said, asked for or refused.
    assert browser.execute_script("return document.documentElement.scrollWidth <= window.innerWidth")
    assert browser.get_log("browser") == []
    asked = [
        message["params"]["request"]["url"]
        for entry in browser.get_log("performance")
        if (message := json.loads(entry["message"])["message"])["method"] == "Network.requestWillBeSent"
    ]
    assert [url for url in asked if url.startswith(("http", "ws"))] == []


def test_on_a_narrow_screen(browser, reports):
    browser.set_window_size(500, 900)
    browser.get(Path("out.html").absolute().as_uri())
    assert browser.execute_script("return document.documentElement.scrollWidth <= window.innerWidth")
