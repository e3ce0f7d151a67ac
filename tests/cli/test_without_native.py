"""Where cel-expr-python has no wheel (musl): cel-python judges selectors, and what it cannot judge is said."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

# An entry of None is how Python marks a module that cannot be imported.
WITHOUT = (
    "import sys; sys.modules['cel_expr_python'] = None; from dralint.__main__ import main; sys.exit(main())"
)
CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: card}
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu.nvidia.com
        selectors:
        - cel:
            expression: EXPRESSION
"""


def without(*arguments: str, stdin: str = "") -> Any:
    return subprocess.run(
        [sys.executable, "-c", WITHOUT, *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def found(expression: str) -> list[str]:
    stdin = CLAIM.replace("EXPRESSION", json.dumps(expression))
    ran = without("check", "-", "--output-format", "json", "--context", "none", stdin=stdin)
    assert ran.returncode in (0, 1), ran.stderr
    return [each["rule"] for each in json.loads(ran.stdout)["findings"]]


def test_selectors_are_checked() -> None:
    assert found('device.attributes["gpu.nvidia.com"].type == "gpu"') == []
    assert found('device.attributes["gpu.nvidia.com"].type = "gpu"') == ["DRA201"]
    assert found('device.attributes["gpu.nvidia.com"].productName == "no such card"') == ["DRA219"]


def test_what_cel_python_does_not_know_is_not_judged() -> None:
    assert found('device.attributes["gpu.nvidia.com"].?addressingMode.orValue("") == "HMM"') == ["DRA002"]


def test_match_works(tmp_path: Path) -> None:
    ran = without("match", 'device.attributes["gpu.nvidia.com"].architecture == "Hopper"', "--quiet")
    assert ran.returncode == 0, ran.stderr
    assert "architecture == Hopper" in ran.stdout


def test_the_engine_by_name_is_missing() -> None:
    ran = without("match", "true", "--engine", "cel-expr-python")
    assert ran.returncode == 2
    assert "cel-expr-python is not installed" in ran.stderr
