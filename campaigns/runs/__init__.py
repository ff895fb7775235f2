"""Runs: check, campaign, replay, prove, lint."""
