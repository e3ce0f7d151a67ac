"""Whether every line that a conversion took or added is one that the contract allows it to take or add."""

import difflib
import re

from reading import plugin_names

_TAKEN = (
    # the request itself, or a single-line mapping that holds it
    r"[^#]*nvidia\.com/(?:gpu[a-z-]*|mig-[^ \"':]+)[\"']?\s*:.*",
    # what is left empty by it
    r"(?:- )?(?:resources|limits|requests):\s*(?:[&#].*)?",
    # the value of a request on a line of its own
    r"[\"']?[0-9]+[\"']?(?:\s+#.*)?",
    # what a claim says anyway, and what it leaves empty
    r"[\"']?nvidia\.com/gpu\.present[\"']?\s*:.*",
    r"[\"']?nodeSelector[\"']?:\s*\{?",
    # braces and brackets of multi-line flow style
    r"[\]}{\[,]+",
    r"[\"']?(?:resources|limits|requests)[\"']?:\s*\{",
    r"rayStartParams:\s*\{.*\}",
)
_ADDED = (
    r"---",
    r"# Source: .*",
    r"(?:- )?[\"']?(?:claims|resourceClaims|draResources|tolerations|requests|devices|spec|metadata|exactly|selectors|annotations)[\"']?:\s*[\[{]*",
    r"apiVersion: resource\.k8s\.io/v1",
    r"kind: ResourceClaimTemplate",
    r"(?:- )?(?:name|namespace|request|resourceClaimTemplateName): \S+",
    r"(?:- )?(?:name|namespace|resourceClaimTemplateName): (?:\"[^\"]*\"|'[^']*')",
    r"deviceClassName: (?:gpu|mig)\.nvidia\.com",
    r"count: [0-9]+",
    r"- cel:",
    r"expression: .*\.profile == '.*'\"?",
    r"- key: nvidia\.com/gpu",
    r"operator: Exists",
    r"effect: NoSchedule",
    r"helm\.sh/hook[a-z-]*: .*",
    r"rayStartParams:(?: \{.*\})?",
    r"num-gpus: [\"'][0-9]+[\"']",
    r"[\]}{\[,]+",
)
TAKEN = re.compile("(?:" + "|".join(_TAKEN) + r")\Z")
ADDED = re.compile("(?:" + "|".join(_ADDED) + r")\Z")


def strangers(before: bytes, after: bytes):
    """The lines of the difference that no edit of the contract explains, with their sign."""
    # How lines end is `endings`' matter: the last line of a file may get an end when others follow it.
    old, new = (data.decode("utf-8-sig").replace("\r\n", "\n").split("\n") for data in (before, after))
    old[-1], new[-1] = old[-1].removesuffix("\r"), new[-1].removesuffix("\r")
    for sign, line in _changes(old, new):
        text = line.strip()
        allowed = TAKEN if sign == "-" else ADDED
        if not text or allowed.match(text):
            continue
        if sign == "+" and (_shortened(text, old) or _renamed(text, old)):
            continue
        yield f"{sign} {line}"


def _changes(old, new):
    matcher = difflib.SequenceMatcher(a=old, b=new, autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag != "equal":
            yield from (("-", line) for line in old[i1:i2])
            yield from (("+", line) for line in new[j1:j2])


def _shortened(text, old):
    """Whether the line is one of the old ones with only a GPU request cut out of it."""
    squeezed = re.sub(r"[\s,]+", "", text)
    return any(
        "nvidia.com/" in line
        and squeezed == re.sub(r"[\s,]+", "", re.sub(r"[\"']?nvidia\.com/[^,}]*", "", line))
        for line in old
    )


def _renamed(text, old):
    """Whether the line is one of the old ones with another name for a GPU, or with a request cut out as well."""
    plain = plugin_names(text)
    if plain == text:
        return False
    return any(line.strip() == plain for line in old) or _shortened(
        re.sub(r"[\"']?nvidia\.com/[^,}]*", "", plain), old
    )


def endings(data: bytes):
    """How a file begins and its lines end: (byte order mark, {"\\r\\n", "\\n"} that occur, whether the last ends)."""
    text = data.decode("utf-8")
    kinds = {"\r\n" if line.endswith("\r") else "\n" for line in text.split("\n")[:-1]}
    return text.startswith("\ufeff"), kinds, text.endswith("\n")
