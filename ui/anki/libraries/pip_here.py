"""pip, run from its wheel within Anki's own process, leaving no trace in it.

The patches fit the one version of pip that the add-on's package contains. They count the bytes of a download, keep its
messages from being printed (Anki shows an error window for whatever is printed as an error), and let its exceptions
through. The user's settings for pip count only if they say how to reach the files.
"""

from __future__ import annotations

import contextlib
import importlib
import logging
import sys
import sysconfig
import tempfile
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Callable, Dict, Iterator, NoReturn, Optional, Sequence, Tuple

#: The folder of pip's wheel, which is in the add-on's package, but not in a checkout.
FOLDER = Path(__file__).resolve().parent

#: Settings of pip that count, from its files or the environment. All others would change what is installed, or where.
SETTINGS = ("index-url", "extra-index-url", "no-index", "find-links", "proxy", "cert", "client-cert", "trusted-host")


def bundled_pip() -> Optional[Path]:
    """Return pip's wheel, or None if this copy of the add-on has none."""
    return next(FOLDER.glob("pip-*.whl"), None)


def run_pip(
    arguments: Sequence[str],
    *,
    on_bytes: Callable[[int], None],
    on_message: Callable[[str], None],
    wheel: Path,
    temporary: Path,
) -> None:
    """Run ``pip install`` with these arguments.

    Args:
        arguments: what follows ``pip install`` on the command line.
        on_bytes: called with the number of new bytes. It may raise to end pip.
        on_message: called with pip's output. It may raise to end pip.
        wheel: pip's wheel.
        temporary: a folder for temporary files, in which some may remain.

    Raises:
        RuntimeError: if pip's settings or the arguments are invalid.
        Exception: if pip, or one of the two functions, raises it.
    """
    with _importable_pip(wheel), _redirected_log(on_message):
        command = _create_command(on_bytes, temporary)
        temp_dir: Any = importlib.import_module("pip._internal.utils.temp_dir")
        # pip makes temporary folders in no other way.
        temp_dir.tempfile = SimpleNamespace(mkdtemp=partial(tempfile.mkdtemp, dir=temporary))
        with command.main_context():
            command.tempdir_registry = command.enter_context(temp_dir.tempdir_registry())
            command.enter_context(temp_dir.global_tempdir_manager())
            # pip's own call of run() would set up logging, change the environment and catch all exceptions.
            command.run(*command.parse_args(list(arguments)))


def _create_command(on_bytes: Callable[[int], None], temporary: Path) -> Any:
    """Return pip's install command, patched to report downloads and to reveal nothing about this computer."""
    certificates: Any = importlib.import_module("pip._vendor.certifi.core")
    bundle = temporary / "cacert.pem"
    bundle.write_text(certificates.contents(), encoding="ascii")
    # Otherwise pip would extract the file to a folder that exists until Anki quits.
    certificates._CACERT_PATH = str(bundle)  # noqa: SLF001
    install: Any = importlib.import_module("pip._internal.commands.install")
    download: Any = importlib.import_module("pip._internal.network.download")
    session: Any = importlib.import_module("pip._internal.network.session")
    read_chunks = download.response_chunks

    def read_counted_chunks(*arguments: Any, **options: Any) -> Iterator[bytes]:
        for chunk in read_chunks(*arguments, **options):
            on_bytes(len(chunk))
            yield chunk

    def reraise(error: OSError, *_options: object) -> NoReturn:
        raise error

    download.response_chunks = read_counted_chunks
    # The original describes this computer to the index, and starts programs to learn about it.
    session.user_agent = lambda: f"pip/{session.__version__}"
    # The original turns the error into a message for the log, which loses the error number.
    install.create_os_error_message = reraise
    command = install.InstallCommand("install", "")
    command.verbosity = 0
    _restrict_settings(command.parser)
    return command


def _restrict_settings(parser: Any) -> None:
    """Make pip read only the settings that say how to reach the files, and raise an error for invalid ones."""
    all_items = parser._get_ordered_configuration_items  # noqa: SLF001 - there is no public function for it

    def read_items() -> Iterator[Tuple[str, Any]]:
        return ((key, value) for key, value in all_items() if key in SETTINGS)

    def fail(message: str) -> NoReturn:
        raise RuntimeError(message)

    parser._get_ordered_configuration_items = read_items  # noqa: SLF001
    parser.error = fail
    parser.exit = lambda _status=0, message="": fail(message)


@contextlib.contextmanager
def _importable_pip(wheel: Path) -> Iterator[None]:
    """Make pip importable from its wheel in this block. Afterwards unload it and undo what its import has changed."""
    logger_class = logging.getLoggerClass()
    other_pip = _unload_pip()
    # On Python 3.9 pip would find its folders with distutils, which not every Python still has.
    sysconfig._PIP_USE_SYSCONFIG = True  # type: ignore[attr-defined]  # noqa: SLF001 - pip's own switch
    sys.path.insert(0, str(wheel))
    try:
        yield
    finally:
        sys.path.remove(str(wheel))
        del sysconfig._PIP_USE_SYSCONFIG  # type: ignore[attr-defined]  # noqa: SLF001
        _unload_pip()
        sys.modules.update(other_pip)
        # Python would read the wheel again for each of its folders whenever it looks for new modules.
        for entry in [entry for entry in sys.path_importer_cache if Path(entry).is_relative_to(wheel)]:
            del sys.path_importer_cache[entry]
        logging.setLoggerClass(logger_class)


def _unload_pip() -> Dict[str, Any]:
    """Remove all modules of pip from Python's memory, and return them by name."""
    names = [name for name in sys.modules if name == "pip" or name.startswith("pip.")]
    return {name: sys.modules.pop(name) for name in names}


class _Listener(logging.Handler):
    """Log handler that passes each message on."""

    def __init__(self, on_message: Callable[[str], None]) -> None:
        super().__init__()
        self._on_message = on_message

    def emit(self, record: logging.LogRecord) -> None:
        self._on_message(f"{record.levelname}: {record.getMessage()}")


@contextlib.contextmanager
def _redirected_log(on_message: Callable[[str], None]) -> Iterator[None]:
    """Send pip's log messages to ``on_message`` only, in this block."""
    logger = logging.getLogger("pip")
    collector = logging.getLogger("pip._internal.index.collector")
    level = logger.level
    propagate = logger.propagate
    collector_level = collector.level
    listener = _Listener(on_message)
    logger.addHandler(listener)
    logger.setLevel(logging.INFO)
    logger.propagate = False
    # Only its debug messages tell with which error the index answered.
    collector.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        logger.removeHandler(listener)
        logger.setLevel(level)
        logger.propagate = propagate
        collector.setLevel(collector_level)
