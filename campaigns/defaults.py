"""Defaults: the times and numbers that hold where nothing else is asked for, each in one place.

Times are in seconds. What a module decides for itself alone, and nobody can set, stands in that module.
"""

LOWEST_LIMIT = 1
"""The smallest limit that counts: many programs take 0 for no limit, and nobody can serve less."""

SCHEMA = 2
"""The number of the form of every JSON document; a later form has a higher one."""

TIMEOUT = 2.0
"""What one trim may take."""
LEAST_TIMEOUT = 0.01
TIMEOUT_WITH_HANGS = 0.25
"""What one trim of a museum piece that hangs may take: every find costs that much."""
IMPORT_SECONDS = 60.0
"""What it may take to import a target."""
FIRST_CALL_SECONDS, FIRST_CALL_SHARE = 30.0, 15.0
"""What the first call may take: so much time, where that is no more than so many times that of a later one."""


def first_call_seconds(timeout: float) -> float:
    """Return what the first call may take where a later one may take `timeout`."""
    return max(timeout, min(FIRST_CALL_SECONDS, FIRST_CALL_SHARE * timeout))


SECONDS = 7.0
"""What the search of `check` and `sessions` may take: with all around it, a verdict comes in ten."""
EXAMPLES = 2000
"""The histories that a check generates."""
SESSIONS = 2000
"""The sessions that are played."""
STEPS = 24
"""The most steps of a session, before its end."""
STEPS_UNDER_PYTEST = 30
MINUTES = 1.0
"""How long a campaign takes where nothing is counted."""

SHRINK_SECONDS = 20.0
"""The most for one cause."""
SHRINK_SCRIPT_SECONDS = 10.0
"""The most for one cause of a session."""
SHRINK_CAMPAIGN_SECONDS = 10.0
"""The most for one cause in a campaign."""
SHRINK_TOTAL, SHRINK_TOTAL_SHARE = 60.0, 2.0
"""The most for all causes that count: so much time, or so many times that of the search if that is more."""
OBSERVED_SHRINK_SECONDS = 1.0
OBSERVED_TOTAL, OBSERVED_SHARE = 2.0, 0.2
"""The same for promises that nobody made."""

RESTARTS = 5
"""Deaths per thousand examples after which a trimmer is called unstable."""
ENOUGH_HANGS = 20
"""Hangs after which a lane of histories ends: the point is made, and each further one costs its full time."""
ENOUGH_HANGS_OF_SESSIONS = 5
ENOUGH_HANGS_UNDER_PYTEST = 5
