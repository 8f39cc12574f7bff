"""A report in words: what is in it and what is not, and its row in the table of `docs/reports.md`. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.timing.histograms import Histogram

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from companion.app.report.contents import ButtonTimes, Report

NONE = "–"
COLUMNS = (
    "model", "system, kernel", "read by", "stamps: worst difference", "edge to loop, median / 99.9 %",
    "scene to picture, median / 99.9 %", "bounce, median / 99.9 %",
    "between first edges, median / 99.9 %", "merged", "longest wait", "presses", "pods, ± of a clock", "power", "day",
)  # fmt: skip
NOT_IN_IT = (
    "Not in it: names of players, pods, devices and profiles; host name, addresses, Wi-Fi; serial numbers and ids; "
    "what was played; texts of faults."
)


def summary(report: Report) -> Iterator[str]:
    """Say what is in a report, a sentence a line."""
    machine, program = report.machine, report.program
    yield f"machine: {machine.model or 'no Raspberry Pi'}, {machine.architecture}, {machine.system}, {machine.kernel}"
    yield f"program: {program.version} ({program.commit}), Python {program.python}"
    yield f"power: {_power(report)}"
    for one in report.certificates:
        how = "valid" if one.is_valid else f"not valid: {', '.join(one.differs)}"
        yield f"certificate of {one.source}: worst difference {one.worst_difference_ns / 1000:.1f} µs, {how}"
    if not report.certificates:
        yield "certificate: none (companion certify makes one)"
    if report.running is None:
        yield "box: none has run since the machine was switched on, so no edge's way to the loop was timed"
    else:
        state = "runs" if report.running.is_running else f"does not run ({report.running.life})"
        yield f"box: {state}, {report.running.faults} faults"
    yield f"edge to loop: {_spread([one.arrival for one in report.times.since_start])}"
    yield f"scene to picture: {_spread(report.times.pictures)}"
    yield f"bounce since the start: {_spread([one.bounce for one in report.times.since_start])}"
    yield f"bounce in kept races: {_spread([one.bounce for one in report.times.kept])}"
    yield f"between the first edges of a press: {_spread([one.gaps for one in _all_times(report)])}"
    yield f"edges that the kernel merged others with: {_merged(report)}"
    yield f"longest wait of an interrupt's thread: {_wait(report)}"
    yield f"pods: {_pods(report)}"
    kept = report.kept
    yield (
        f"matches: {_count(kept.matches)}, {_count(kept.unfinished)} without an end, "
        f"{_count(kept.restarts)} restarts within one; files set aside: {kept.set_aside}"
    )
    for name in report.damaged:
        yield f"left out: {name}"
    yield NOT_IN_IT


def header() -> str:
    """Give the head of the table."""
    return f"| {' | '.join(COLUMNS)} |\n|{' --- |' * len(COLUMNS)}"


def row(report: Report) -> str:
    """Give a report as one row of the table."""
    certificate = next((one for one in report.certificates if one.is_valid), None)
    worst = NONE if certificate is None else f"{certificate.worst_difference_ns / 1000:.1f} µs"
    cells = (
        report.machine.model or report.machine.architecture,
        f"{report.machine.system or NONE}, {report.machine.kernel}",
        ", ".join(_read_by(report)) or NONE,
        worst,
        _spread([one.arrival for one in report.times.since_start]),
        _spread(report.times.pictures),
        _spread([one.bounce for one in _all_times(report)]),
        _spread([one.gaps for one in _all_times(report)]),
        _merged(report),
        _wait(report),
        str(sum(one.bounce.total for one in _all_times(report))),
        _pods(report),
        _power(report),
        report.made,
    )
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


def _all_times(report: Report) -> tuple[ButtonTimes, ...]:
    """Give where bounces are taken from: races that are kept, and else this start's, so that none counts twice."""
    return report.times.kept or report.times.since_start


def _read_by(report: Report) -> Iterable[str]:
    if report.running is not None and report.running.sources:
        return report.running.sources
    return dict.fromkeys(one.by for one in report.times.kept)


def _spread(found: Iterable[Histogram]) -> str:
    whole = _added(found)
    if not whole.total:
        return NONE
    return f"≤ {_us(whole.within_us(500))} / ≤ {_us(whole.within_us(999))}"


def _added(found: Iterable[Histogram]) -> Histogram:
    counts = [one.counts for one in found if one.counts]
    return Histogram(tuple(sum(step) for step in zip(*counts, strict=True)))


def _us(bound: int | None) -> str:
    if bound is None:
        return "more than 1 s"
    return f"{bound} µs" if bound < 1000 else f"{bound / 1000:g} ms"


def _pods(report: Report) -> str:
    if not report.pods:
        return "none asked"
    clocks = [one.clock_us for one in report.pods if one.clock_us is not None]
    return f"{len(report.pods)}, " + (f"± {max(clocks) / 1000:.2f} ms" if clocks else "no clock known")


def _merged(report: Report) -> str:
    edges, merged = (sum(getattr(one, name) for one in _all_times(report)) for name in ("edges", "merged"))
    return f"{100 * merged / edges:.1f} % of {edges}" if edges else NONE


def _wait(report: Report) -> str:
    wait_us = report.times.longest_wait_us
    return "not told" if wait_us is None else f"{wait_us:g} µs"


def _power(report: Report) -> str:
    if report.machine.power is None:
        return "not told"
    return ", ".join(report.machine.power) or "well"


def _count(number: int | None) -> str:
    return "not known" if number is None else str(number)
