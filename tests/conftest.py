from __future__ import annotations

import os
import signal

import hypothesis

# NumPy reads this when it is loaded, here and in processes that tests start. The tools also use one thread, and tests
# that run at the same time do not compete for processors.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Commands that tests start would inherit ignored signals from `nohup` or from a script's `&`.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)

# Tests have the same examples each time, and do not fail because a machine is busy.
hypothesis.settings.register_profile(
    "project", deadline=None, derandomize=True, max_examples=60, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("project")
