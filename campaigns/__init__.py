"""The top floor: check, campaign, shrink, replay, fixtures, reports, and the command line."""
