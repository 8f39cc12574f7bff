"""Builds the real MicroPython for a Raspberry Pi Pico from Debian's sources, and a boot ROM for the emulator.

Everything lands in build/emulator and is kept: a second call finds it there. What Debian's sources lack (mbedtls,
the neopixel and onewire drivers, the closed boot ROM) is left out or replaced; nothing that a pod uses is.
"""

from __future__ import annotations

import re
import shutil
import struct
from pathlib import Path

from tests.emulator.sources import Apt, EmulatorError, need_tools, run

HERE = Path(__file__).parent
FOLDER = HERE.parents[1] / "build" / "emulator"
ROM_BYTES = 16 * 1024
ROM_CODE = 0x200
"""Where the code begins (`bootrom.ld`); tables lie between the vectors and it."""
ROM_TABLE = 0x40
SWITCHED_OFF = ("MICROPY_SSL_MBEDTLS", "MICROPY_PY_SSL", "MICROPY_PY_CRYPTOLIB", "MICROPY_PY_HASHLIB_SHA1")


def micropython(folder: Path = FOLDER) -> Path:
    """Give the built image (`firmware.bin`), building it first where it is not there. Raises EmulatorError."""
    image = folder / "firmware.bin"
    if image.is_file():
        return image
    need_tools()
    for name in ("sources", "sdk"):
        shutil.rmtree(folder / name, ignore_errors=True)
    apt = Apt(folder / "apt")
    apt.update()
    source = apt.source("micropython", folder / "sources")
    for package in ("pico-sdk-source", "tinyusb-source"):
        apt.unpack(package, folder / "sdk")
    built = _build(source, folder / "sdk" / "usr" / "src")
    shutil.copy(built, image)
    return image


def _build(source: Path, sdk: Path) -> Path:
    port = source / "ports" / "rp2"
    _leave_out_tls(port, sdk)
    (source / "lib" / "micropython-lib").mkdir(parents=True, exist_ok=True)
    (source / "lib" / "micropython-lib" / "README.md").touch()  # the build only looks whether it is there
    manifest = port / "pod_manifest.py"
    manifest.write_text('freeze("$(PORT_DIR)/modules")\ninclude("$(MPY_DIR)/extmod/asyncio")\n')
    run("make", "-j2", "-C", source / "mpy-cross")
    run(
        "cmake", "-S", port, "-B", port / "build", "-DPICO_NO_PICOTOOL=1", "-DMICROPY_BOARD=RPI_PICO",
        f"-DMICROPY_BOARD_DIR={port / 'boards' / 'RPI_PICO'}", f"-DPICO_SDK_PATH_OVERRIDE={sdk / 'pico-sdk'}",
        f"-DMICROPY_FROZEN_MANIFEST={manifest}",
    )  # fmt: skip
    run("make", "-j2", "-C", port / "build")
    return port / "build" / "firmware.bin"


def _leave_out_tls(port: Path, sdk: Path) -> None:
    """Switch off what needs mbedtls, and point at Debian's TinyUSB. Raises EmulatorError where the port has changed."""
    lists = port / "CMakeLists.txt"
    text = lists.read_text()
    for line in (
        "set(MICROPY_SSL_MBEDTLS ON)",
        "target_link_libraries(${MICROPY_TARGET} micropy_lib_mbedtls)",
        "    mbedtls/mbedtls_port.c",
    ):
        if line not in text:
            raise EmulatorError(f"{lists} has no line {line!r}: another MicroPython than this was written for")
        text = text.replace(f"\n{line}", f"\n#{line}")
    text, found = re.subn(r"(?m)^set\(PICO_TINYUSB_PATH .*$", f"set(PICO_TINYUSB_PATH {sdk / 'tinyusb'})", text)
    if found != 1:
        raise EmulatorError(f"{lists} does not set PICO_TINYUSB_PATH once")
    lists.write_text(text)
    settings = port / "mpconfigport.h"
    text = settings.read_text()
    for name in SWITCHED_OFF:
        text = re.sub(rf"(?m)^#define {name} .*$", f"#define {name} (0)", text)
    settings.write_text(text)


def bootrom(folder: Path = FOLDER) -> Path:
    """Give the boot ROM's image, building it first where it is older than its source. Raises EmulatorError."""
    image, source = folder / "bootrom.bin", HERE / "bootrom.c"
    if image.is_file() and image.stat().st_mtime > source.stat().st_mtime:
        return image
    need_tools()
    folder.mkdir(parents=True, exist_ok=True)
    elf, code = folder / "bootrom.elf", folder / "bootrom.code"
    run(
        "arm-none-eabi-gcc", "-mcpu=cortex-m0plus", "-mthumb", "-O2", "-ffreestanding", "-nostdlib",
        "-fno-tree-loop-distribute-patterns", "-T", HERE / "bootrom.ld", "-Wl,-e,rom_lookup",
        source, "-lgcc", "-o", elf,
    )  # fmt: skip
    run("arm-none-eabi-objcopy", "-O", "binary", elf, code)
    symbols = {name: int(value, 16) for value, _, name in map(str.split, run("arm-none-eabi-nm", elf).splitlines())}
    image.write_bytes(_with_tables(code.read_bytes(), symbols))
    return image


def _with_tables(code: bytes, symbols: dict[str, int]) -> bytes:
    """Lay the ROM out as the SDK expects it: vectors, magic, table pointers, tables, code."""
    rom = bytearray(ROM_BYTES)
    rom[ROM_CODE : ROM_CODE + len(code)] = code

    def pointer(symbol: str) -> int:
        return int(struct.unpack_from("<I", rom, symbols[symbol])[0])

    functions = bytearray()
    for symbol in sorted(symbols):
        if symbol.startswith("rom_fn_"):
            first, second = symbol.removeprefix("rom_fn_").encode("ascii")
            functions += struct.pack("<BBH", first, second, pointer(symbol))
    functions += bytes(2)
    data = struct.pack("<BBHH", ord("S"), ord("F"), symbols["rom_float_table"], 0)
    tables = bytes(functions) + data
    if ROM_TABLE + len(tables) > ROM_CODE:
        raise EmulatorError("the boot ROM's tables run into its code")
    rom[ROM_TABLE : ROM_TABLE + len(tables)] = tables
    stop = pointer("rom_stop_pointer")
    struct.pack_into("<IIII", rom, 0, 0x20041F00, stop, stop, stop)
    rom[0x10:0x14] = b"Mu\x01\x03"  # magic, version 3
    struct.pack_into("<HHH", rom, 0x14, ROM_TABLE, ROM_TABLE + len(functions), pointer("rom_lookup_pointer") & 0xFFFF)
    return bytes(rom)
