"""Build hooks: compiles the hot modules where Cython and a C compiler are, and writes the readme.

What cannot be compiled is left out, and the installation goes on: everything runs
uncompiled. `python hatch_build.py` compiles the modules of a working copy in place, and
`LYCOSA_PURE=1` compiles nothing. See `lycosa.compiled`.
"""

from __future__ import annotations

import json
import os
import re
import runpy
import shlex
import subprocess
import sys
import sysconfig
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

ROOT = Path(__file__).parent
PACKAGE = ROOT / "src" / "lycosa"
MAX_COMPILER_SECONDS = 600
"""A compiler that takes longer is ended."""


class CompilerFailure(Exception):
    """A module could not be compiled."""


def _run(*command: str) -> None:
    try:
        done = subprocess.run(  # noqa: S603 - the compiler of this Python
            command, capture_output=True, text=True, check=False, timeout=MAX_COMPILER_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CompilerFailure(str(error)) from error
    if done.returncode:
        raise CompilerFailure(f"{command[0]} failed: {(done.stderr or done.stdout)[-500:]}")


def _compile(source: Path) -> None:
    """Compile a module, or its .pyx where it has one, to an extension module beside it."""
    second = source.with_suffix(".pyx")
    source = second if second.is_file() else source
    config = sysconfig.get_config_var
    with tempfile.TemporaryDirectory() as folder:
        c_file, extension = Path(folder) / "module.c", Path(folder) / "module.so"
        # Annotations stay what they are in Python; C types are declared in .pxd files.
        _run(
            sys.executable, "-m", "cython", "-3", "-X", "annotation_typing=False",
            "--module-name", ".".join(source.relative_to(ROOT / "src").with_suffix("").parts),
            "--output-file", str(c_file), str(source),
        )  # fmt: skip
        # One call compiles and links: the linker of this Python is its compiler with options.
        _run(
            # Without fused operations, which round once where Python rounds twice.
            *shlex.split(config("LDSHARED") or "cc -shared"), "-O2", "-ffp-contract=off", "-fPIC",
            "-w",
            f"-I{sysconfig.get_path('include')}", str(c_file), "-o", str(extension),
        )  # fmt: skip
        target = source.with_suffix(config("EXT_SUFFIX") or ".so")
        partial = target.with_suffix(".partial")
        partial.write_bytes(extension.read_bytes())
        partial.chmod(0o755)
        partial.replace(target)  # a program that has the former one loaded keeps it


def compile_hot_modules() -> list[Path]:
    """Compile the hot modules in place; return the files made, none if one failed."""
    # Without an import of the package, whose dependencies may not be there yet.
    compiled = runpy.run_path(str(PACKAGE / "compiled.py"))
    modules, record = compiled["HOT_MODULES"], PACKAGE / compiled["RECORD"]
    sources = [compiled["source_of"](module, PACKAGE) for module in modules]
    digests = {module: compiled["digest_of"](module, PACKAGE) for module in modules}
    record.unlink(missing_ok=True)
    # Of a module that is not compiled any more, Python would prefer the extension to the source.
    used = {path for module in modules for path in compiled["extensions_of"](module, PACKAGE)}
    for path in set(PACKAGE.rglob(f"*{sysconfig.get_config_var('EXT_SUFFIX') or '.so'}")) - used:
        path.unlink()
    if os.environ.get(compiled["PURE"]):
        return []
    try:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(_compile, sources))
    except CompilerFailure as error:
        print(f"Lycosa is installed uncompiled: {error}", file=sys.stderr)
        return []
    record.write_text(json.dumps(digests, indent=1), encoding="utf-8")
    made = [compiled["extensions_of"](module, PACKAGE)[0] for module in modules]
    return [record, *made]


class CompileHook(BuildHookInterface[Any]):
    """Adds compiled modules to a wheel; an editable one finds them in place."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile before the files of the wheel are collected."""
        made = compile_hot_modules()
        if made and version != "editable":
            build_data["artifacts"] += [str(path.relative_to(ROOT)) for path in made]
            build_data["pure_python"] = False
            build_data["infer_tag"] = True


class ReadmeHook(MetadataHookInterface):
    """Makes the links of the readme absolute: a package index has no files beside it."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the readme to the metadata of the package."""
        text = (ROOT / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": absolute_links(text, metadata["urls"]["Source"]),
        }


def absolute_links(text: str, address: str) -> str:
    """Return Markdown whose relative links lead to files of the source at this address.

    >>> absolute_links("[tutorial](docs/tutorial.md), [licence](https://a.example)", "https://b")
    '[tutorial](https://b/docs/tutorial.md), [licence](https://a.example)'
    """
    return re.sub(r"\]\((?!https?:|#)", f"]({address}/", text)


if __name__ == "__main__":
    sys.exit(not compile_hot_modules() and not os.environ.get("LYCOSA_PURE"))
