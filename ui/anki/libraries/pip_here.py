"""pip, run from its wheel within Anki's own process, leaving no trace in it.

What is touched inside pip belongs to the one version that travels with us: the chunks of a download are counted, its
messages are kept instead of printed (Anki shows an error window for whatever is printed as an error), and what it
raises comes through. Of the settings that someone has made for pip those count that say how to reach the files.
"""

from __future__ import annotations

import contextlib
import importlib
import logging
import os
import sys
import sysconfig
import tempfile
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Callable, Iterator, List, NoReturn, Optional, Sequence, Tuple

from ...text import strings
from .failures import InstallFailed

#: The wheel is next to this file in the package; not in a checkout.
FOLDER = Path(__file__).resolve().parent

#: Settings of pip that are kept, from files or the environment. Others decide what is installed and where, as we do.
SETTINGS = ("index-url", "extra-index-url", "no-index", "find-links", "proxy", "cert", "client-cert", "trusted-host")


def wheel() -> Optional[Path]:
    """Return pip's wheel, or None if this copy of the add-on has none."""
    return next(iter(sorted(FOLDER.glob("pip-*.whl"))), None)


def run_pip(
    arguments: Sequence[str],
    *,
    on_bytes: Callable[[int], None],
    on_message: Callable[[str], None],
    path: Path,
    temporary: Path,
) -> None:
    """Do what ``pip install`` does with these arguments.

    Args:
        arguments: those of the command.
        on_bytes: called with the number of new bytes. It may raise to end pip.
        on_message: called with pip's output. It may raise to end pip.
        path: pip's wheel.
        temporary: a folder for temporary files, which may be left there.

    Raises:
        InstallFailed: if pip's own settings cannot be read.
        Exception: whatever pip, or one of the two functions, has raised.
    """
    with _importable(path), _listening(on_message) as problems:
        command = _command(on_bytes, temporary)
        with command.main_context():
            status = command._main(list(arguments))  # noqa: SLF001 - main() would shut down Anki's log files
        if problems:
            raise problems[0]
        if status:
            raise RuntimeError(f"pip ended with {status}")


def _command(on_bytes: Callable[[int], None], temporary: Path) -> Any:
    """Return pip's install command without its own logging, error reports and progress bars."""
    certificates: Any = importlib.import_module("pip._vendor.certifi.core")
    bundle = temporary / "cacert.pem"
    bundle.write_text(certificates.contents(), encoding="ascii")
    certificates._CACERT_PATH = str(bundle)  # noqa: SLF001 - else it lies elsewhere until Anki quits
    command = importlib.import_module("pip._internal.commands").create_command("install")  # before the next
    base_command: Any = importlib.import_module("pip._internal.cli.base_command")
    download: Any = importlib.import_module("pip._internal.network.download")
    original = download.response_chunks

    def counted(*arguments: Any, **options: Any) -> Iterator[bytes]:
        for chunk in original(*arguments, **options):
            on_bytes(len(chunk))
            yield chunk

    temp_dir: Any = importlib.import_module("pip._internal.utils.temp_dir")
    temp_dir.tempfile = SimpleNamespace(mkdtemp=partial(tempfile.mkdtemp, dir=temporary))  # all that it asks of that
    download.response_chunks = counted
    session: Any = importlib.import_module("pip._internal.network.session")
    # Else it tells its index of this computer, and starts programs to find out.
    session.user_agent = lambda: f"pip/{session.__version__}"
    base_command.setup_logging = lambda **_options: logging.INFO
    command.ignore_require_venv = True
    _restrict_settings(command.parser)
    command._run_wrapper = lambda _level, options, args: command.run(options, args)  # noqa: SLF001
    return command


def _restrict_settings(parser: Any) -> None:
    """Let pip use only settings that say how to reach the files, and raise what is wrong with them."""
    all_items = parser._get_ordered_configuration_items  # noqa: SLF001 - of the one version that travels with us

    def items() -> Iterator[Tuple[str, Any]]:
        return ((key, value) for key, value in all_items() if key in SETTINGS)

    def complain(message: str) -> NoReturn:
        raise InstallFailed(strings.UNEXPECTED, message.splitlines())

    parser._get_ordered_configuration_items = items  # noqa: SLF001
    parser.error = complain
    parser.exit = lambda _status=0, message="": complain(message)


@contextlib.contextmanager
def _importable(path: Path) -> Iterator[None]:
    """Make pip importable from its wheel in this block. Afterwards unload it and undo what its import has changed."""
    logger_class = logging.getLoggerClass()
    variables = dict(os.environ)
    set_aside = _forget_pip()
    # On Python 3.9 pip would ask distutils where things go, which not every Python still has.
    sysconfig._PIP_USE_SYSCONFIG = True  # type: ignore[attr-defined]  # noqa: SLF001 - pip's own switch
    sys.path.insert(0, str(path))
    try:
        yield
    finally:
        sys.path.remove(str(path))
        del sysconfig._PIP_USE_SYSCONFIG  # type: ignore[attr-defined]  # noqa: SLF001
        _forget_pip()
        sys.modules.update(set_aside)
        # Python would read the wheel again for each of its folders whenever it looks for new modules.
        for index in [index for index in sys.path_importer_cache if Path(index).is_relative_to(path)]:
            del sys.path_importer_cache[index]
        logging.setLoggerClass(logger_class)
        for name in [name for name in os.environ if name.startswith("PIP_") and name not in variables]:
            del os.environ[name]


def _forget_pip() -> dict[str, Any]:
    names = [name for name in sys.modules if name == "pip" or name.startswith("pip.")]
    return {name: sys.modules.pop(name) for name in names}


@contextlib.contextmanager
def _listening(on_message: Callable[[str], None]) -> Iterator[List[BaseException]]:
    """Send pip's messages to ``on_message`` only. Yields the errors that pip has caught and only logged."""
    problems: List[BaseException] = []

    class Listener(logging.Handler):
        """Passes on each message, and keeps each error that is only logged."""

        def emit(self, record: logging.LogRecord) -> None:
            caught = sys.exc_info()[1]
            if record.levelno >= logging.ERROR and caught is not None:
                problems.append(caught)
            on_message(f"{record.levelname}: {record.getMessage()}")

    logger, collector = logging.getLogger("pip"), logging.getLogger("pip._internal.index.collector")
    before = logger.level, logger.propagate, collector.level
    listener = Listener()
    logger.addHandler(listener)
    logger.setLevel(logging.INFO)
    logger.propagate = False
    collector.setLevel(logging.DEBUG)  # it says there only that the index answered with an error
    try:
        yield problems
    finally:
        logger.removeHandler(listener)
        logger.propagate = before[1]
        logger.setLevel(before[0])
        collector.setLevel(before[2])
