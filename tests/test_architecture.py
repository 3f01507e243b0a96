"""What holds the project together: arrows between packages, files one can read, no word of one machine."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("scoring", "vision", "web", "models")
TEXT_FILES = {".py", ".md", ".toml", ".json", ".jsonl", ".html", ".css", ".po", ".txt", ".yml", ".yaml", ""}


def tracked_files() -> list[Path]:
    """The files of the checkout, or of an unpacked source archive."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False, text=True)
    if listed.returncode == 0:
        return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]
    hidden = (".venv", ".git")
    return [
        path
        for path in ROOT.rglob("*")
        if path.is_file() and not path.relative_to(ROOT).parts[0].startswith(hidden)
    ]


def modules(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def imported(path: Path) -> set[str]:
    """The top-level packages a module imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module.partition(".")[0])
    return found


def test_arrows_never_point_back() -> None:
    """The contracts in pyproject.toml: scoring, then vision, then web."""
    ran = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        check=False,
        text=True,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_the_rules_need_nothing_but_python() -> None:
    """Only the one search may use numpy and scipy."""
    allowed = sys.stdlib_module_names | {"scoring"}
    for path in modules("scoring"):
        extra = imported(path) - allowed
        if path.name == "best.py":
            extra -= {"numpy", "scipy"}
        assert not extra, f"{path.relative_to(ROOT)} imports {extra}"


def test_nothing_at_run_time_needs_what_training_needs() -> None:
    for package in ("scoring", "vision", "web"):
        for path in modules(package):
            training = {"torch", "onnx"} & imported(path)
            assert not training, f"{path.relative_to(ROOT)} imports {training}"


def test_nothing_catches_everything() -> None:
    for package in PACKAGES:
        for path in modules(package):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ExceptHandler):
                    caught = "everything" if node.type is None else ast.unparse(node.type)
                    assert caught not in ("everything", "Exception", "BaseException"), f"{path}:{node.lineno}"


def test_modules_stay_readable() -> None:
    for package in PACKAGES:
        for path in modules(package):
            lines = path.read_text(encoding="utf-8").count("\n")
            assert lines <= 450, f"{path.relative_to(ROOT)} has {lines} lines: split it"


MACHINE_PATHS = re.compile(r"(?<![\w./-])/(?:home|Users|root|work|workspace)/\w")


def test_no_file_speaks_of_one_persons_machine() -> None:
    files = tracked_files()
    assert files
    for path in files:
        if path.suffix in TEXT_FILES and path != Path(__file__):
            try:
                text = path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue
            found = MACHINE_PATHS.search(text)
            assert found is None, f"{path.relative_to(ROOT)} says {found and found[0]}…"


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_documents_point_at_files_that_exist(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#\s]+)\)", text):
        if "://" not in target:
            assert (ROOT / target).exists(), f"{document} points at {target}"
