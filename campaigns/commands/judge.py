"""`trimfuzz judge`: recorded inputs and outputs, without running a trimmer."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..defaults import SCHEMA
from .options import json_option
from .output import print_document, print_lines

if TYPE_CHECKING:
    from ...oracles.records.claims import JudgedReport
    from ...oracles.records.examples import RuleAgreement

SHIPPED = "those that ship with trimfuzz"


@click.command(short_help="Judge recorded inputs and outputs, without running a trimmer.")
@click.option(
    "--examples",
    is_flag=False,
    flag_value=SHIPPED,
    metavar="[FILE]",
    help="Entries with a verdict, one JSON object a line; without FILE those that ship with trimfuzz.",
)
@click.option(
    "--reports",
    is_flag=False,
    flag_value=SHIPPED,
    metavar="[FILE]",
    help="Public reports with claims, one JSON object a line; without FILE those that ship with trimfuzz.",
)
@json_option
def judge(examples: str | None, reports: str | None, as_json: bool) -> int:
    """Judge recorded cases by the rules, and hold each verdict and each claim against what the rules find.

    An entry of the examples is a history, what a trimmer made of it, a rule, and its verdict (held or broken). For
    no-orphan and no-input-mutation the reference oracle, which shares no code with the rules, is asked as well.

    A report is a bug that somebody met: a history, what was made of it, and the rules that it claims were broken, all
    of which must be found. What takes several steps to show is listed, and not judged here.

    Without an option, both files that ship with trimfuzz are judged.

    \b
    Examples:
      trimfuzz judge
      trimfuzz judge --examples my-cases.jsonl
      trimfuzz judge --reports --json

    Exit code: 0 every verdict agrees and every claim is found, 1 one does not, 2 a file could not be read.
    """
    if examples is None and reports is None:
        examples = reports = SHIPPED
    rows = None if examples is None else _judged_examples(examples)
    claims = None if reports is None else _judged_reports(reports)
    if as_json:
        _print_document(rows, claims)
    else:
        _print_tables(rows, claims)
    disagrees = any(row.disagreements for row in rows or ())
    return 1 if disagrees or any(one.missed for one in claims or ()) else 0


def _judged_examples(name: str) -> "list[RuleAgreement]":
    from ...oracles.records.examples import agreement
    from ...oracles.records.recorded import read_recorded_cases, shipped_cases

    return agreement(shipped_cases() if name == SHIPPED else read_recorded_cases(Path(name)))


def _judged_reports(name: str) -> "list[JudgedReport]":
    from ...messages.reports import read_reports, reports_of
    from ...oracles.records.claims import judge_report
    from ...oracles.rules.registry import RULES
    from ...strategies.known import REPORTS, reports_text

    if name == SHIPPED:
        found = reports_of(reports_text(), REPORTS, rules=RULES)
    else:
        found = read_reports(Path(name), rules=RULES)
    return [judge_report(report) for report in found]


def _print_document(rows: "list[RuleAgreement] | None", claims: "list[JudgedReport] | None") -> None:
    from ..reports.agreement_view import agreement_document
    from ..reports.claims_view import claims_document

    print_document(
        {
            "schema": SCHEMA,
            **({} if rows is None else agreement_document(rows)),
            **({} if claims is None else claims_document(claims)),
        }
    )


def _print_tables(rows: "list[RuleAgreement] | None", claims: "list[JudgedReport] | None") -> None:
    from rich.text import Text

    from ..reports.agreement_view import agreement_table
    from ..reports.claims_view import claims_table
    from ..reports.console import canvas_of, console

    canvas = canvas_of(console())
    if rows is not None:
        print_lines(agreement_table(rows, canvas))
    if rows is not None and claims is not None:
        print_lines([Text()])
    if claims is not None:
        print_lines(claims_table(claims, canvas))
