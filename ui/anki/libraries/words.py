"""All that is said about installing the libraries."""

from __future__ import annotations

from ...text import translate

TITLE = "Libraries for SRS Evaluator"
HEADING = "Two libraries are needed first"
EXPLANATION = (
    "SRS Evaluator does its arithmetic with NumPy and draws its graphs with matplotlib, which Anki does not come with."
)
OFFER = "They can be installed now, for this add-on alone: Anki and other add-ons are not changed."
#: Between <b> and </b> it is bold, in the next ones too.
SIZE = "<b>Download:</b> {megabytes:.0f} MB, from the Python Package Index (PyPI), where the libraries are published."
CHECK = "<b>Checked:</b> each file must be, bit for bit, the one that this add-on was tested with."
SPACE = "<b>On your disk:</b> some {megabytes:.0f} MB, in {folder}."
NETWORK = "This is the only time that SRS Evaluator uses the network. Nothing of yours is sent."
ASK = "Install them?"

#: The letter after & is what one presses together with Alt. Each letter once; without one if there is none.
INSTALL = "&Install"
AGAIN = "Try &again"
FROM_FOLDER = "From a &folder…"
FROM_FOLDER_TIP = "Without internet: install from a folder with the files, fetched on another computer"
CHOOSE_FOLDER = "The folder with the files (.whl)"
COPY_COMMAND = "Copy the &command"
COPY_COMMAND_TIP = "The command that fetches these files on another computer, one with internet, Python and pip"
COMMAND_COPIED = "The command is copied. It makes a folder named wheels."
NOT_NOW = "&Not now"

# --- progress ---------------------------------------------------------------------------------------------------------
WAITING = "Waiting for another installation to end"
BEGINNING = "Looking up the files"
DOWNLOADING = "Downloading: {done:.0f} of {total:.0f} MB"
UNPACKING = "Unpacking"
PREPARING = "Preparing for fast starts"

# --- why it cannot be -------------------------------------------------------------------------------------------------
TOO_OLD = (
    "{library} {version} is in use here, but {needed} or later is needed. It lies in {place}. Update or disable the "
    "add-on that brings it along, or update it there, then restart Anki."
)
UNSUPPORTED = (
    "There are no ready-made libraries for Python {python} on this system ({platform}). Where Anki runs from a Python "
    "of your own, install NumPy {numpy} and matplotlib {matplotlib} or later there, then restart Anki."
)
OLD_PYTHON = (
    "There are no ready-made libraries for Python {python} on this system ({platform}), only from Python {newer} on. "
    "Newer versions of Anki come with one: update Anki."
)
NO_PIP = (
    "This copy of the add-on was not made by its package command and cannot install anything. "
    "Install NumPy and matplotlib in the Python that runs Anki, then restart Anki."
)

# --- what went wrong --------------------------------------------------------------------------------------------------
NO_NETWORK = "The Python Package Index could not be reached. Is this computer online? Nothing was installed."
INDEX_FAILED = "The Python Package Index answers with an error ({status}). Try again later. Nothing was installed."
PROXY = "The proxy of this computer did not let the download through. Nothing was installed."
CERTIFICATE = (
    "The connection to the Python Package Index could not be trusted, as its certificate was not accepted. A virus "
    "scanner or proxy that reads along, or a wrong clock, can be the cause. Nothing was installed."
)
CUT_OFF = "The download was cut off. Nothing was installed."
WRONG_FILE = (
    "A file was not the one that this version of the add-on was tested with: {file}. It may be damaged, or something "
    "on the way has changed it. Nothing was installed."
)
NOT_IN_FOLDER = "The folder does not hold all files that are needed: {file} is not there. Nothing was installed."
NOT_IN_INDEX = "The Python Package Index does not offer {file} for this computer. Nothing was installed."
DISK_FULL = "There is not enough room on the disk: {needed:.0f} MB are needed for a moment. Nothing was installed."
NO_PERMISSION = "The folder {folder} cannot be written to. Nothing was installed."
PIP_SETTINGS = (
    "The settings that this computer has for pip (pip.conf or pip.ini, or variables named PIP_…) cannot be read. "
    "Correct or remove them, then try again. Nothing was installed."
)
PATH_TOO_LONG = (
    "The folder {folder} has so long a name that there is no room in it for names of files. Nothing was installed."
)
UNEXPECTED = "The installation failed unexpectedly. Nothing was installed."
CANCELLED = "Cancelled. Nothing was installed."
NOT_USABLE = "The libraries were installed, but {library} cannot be found. Restart Anki, and try again."

translate(globals(), "libraries")
