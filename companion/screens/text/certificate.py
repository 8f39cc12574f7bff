"""A certificate in sentences: what it says, for what it holds, and whether it does. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.core.timing.certificate import Certificate, Weighed
    from companion.core.timing.loop_errors import LineFigures


def line_words(line: LineFigures) -> str:
    """Give one line's figures."""
    error = line.error
    text = (
        f"{line.line}: stamps {_us(error.min_ns)} to {_us(error.max_ns)} µs after the write, median"
        f" {_us(error.median_ns)} (± {line.bracket_ns / 1000:.1f}); {line.pulses} pulses, {line.lost} edges lost,"
        f" {line.spurious} too many"
    )
    if line.disturbed:
        text += f", {line.disturbed} disturbed"
    return f"{text}, {line.elsewhere} on other lines" if line.elsewhere else text


def certificate_lines(found: Weighed) -> Iterator[str]:
    """Give the whole certificate, and at its end whether it is valid."""
    certificate, here = found.certificate, found.certificate.circumstances
    yield f"certificate {found.sha256}"
    yield f"of box {here.box}, {here.board or 'a board that does not say what it is'}"
    yield f"serial number {here.serial or 'unknown'}, kernel {here.kernel}, buttons read by {here.source}"
    yield f"made on {certificate.date:%Y-%m-%d %H:%M} UTC by {certificate.software}"
    for line in certificate.lines:
        yield f"  {line_words(line)}"
    yield worst_words(certificate)
    yield wait_words(certificate)
    yield f"it expires on {certificate.expires:%Y-%m-%d}"
    yield from verdict_lines(found)


def worst_words(certificate: Certificate) -> str:
    """Say what the figures come to."""
    return (
        f"worst difference: a stamp of {certificate.late} may be {_bare_us(certificate.worst_difference_ns)} µs"
        f" further behind than one of {certificate.early}; so much joins the ± of every press"
    )


def wait_words(certificate: Certificate) -> str:
    """Say how long the threads of interrupts waited, and what that means for edges that were merged."""
    if certificate.version == 1:
        return (
            "made by an older program while the machine was at rest: it does not say how long an interrupt's thread"
            " waits, so source.merge_ms holds; companion certify measures it"
        )
    load = ", ".join(certificate.load) or "nothing"
    if certificate.longest_wait_ns is None:
        return f"under load ({load}) the kernel did not tell how long interrupts' threads wait: source.merge_ms holds"
    longest, taken = _bare_us(certificate.longest_wait_ns), _bare_us(certificate.merge_ns)
    return (
        f"under load ({load}) an interrupt's thread waited for {longest} µs at most: where the kernel does not tell, it"
        f" is taken to have waited for up to {taken} µs, or for source.merge_ms if that is more"
    )


def verdict_lines(found: Weighed) -> Iterator[str]:
    """Say whether it is valid, and each reason why it is not."""
    if found.is_valid:
        yield "valid"
        return
    yield "not valid:"
    for fault in found.faults:
        yield f"  {fault}"


def _us(ns: int) -> str:
    return f"{ns / 1000:+.1f}"


def _bare_us(ns: int) -> str:
    return f"{ns / 1000:.1f}"
