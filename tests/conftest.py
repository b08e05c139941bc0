from __future__ import annotations

import os
import signal

import hypothesis

# Before NumPy is loaded, here and by all that the tests start: as for the tools, and no test hogs another's processor.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# What `nohup`, or a script's `&`, has ignored, the commands that the tests start would ignore too.
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

#: The same examples each time, and nothing fails because a machine is busy.
hypothesis.settings.register_profile(
    "project", deadline=None, derandomize=True, max_examples=60, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("project")
