/*
 * A boot ROM for an emulated RP2040. The chip's own is not in any package; this one offers what the Pico SDK looks up
 * (pico-sdk: boot/bootrom_constants.h, boot/sf_table.h): bit counting, memory fill and copy, flash erase and program on
 * the emulator's memory-mapped flash, and single-precision arithmetic. It is never meant for a real chip.
 *
 * image.py reads the symbols rom_fn_XY (XY: the two letters under which the SDK looks a function up).
 */
#include <stddef.h>
#include <stdint.h>

#define USED __attribute__((used))
#define FLASH 0x10000000u

static void nothing(void) {}

static void stop(void) {
    for (;;) {
        __asm volatile("bkpt #1");
    }
}

/* ---- bits ---- */

static uint32_t count_ones(uint32_t value) {
    uint32_t ones = 0;
    for (; value; value >>= 1) {
        ones += value & 1;
    }
    return ones;
}

static uint32_t reverse_bits(uint32_t value) {
    uint32_t reversed = 0;
    for (int bit = 0; bit < 32; bit++) {
        reversed |= ((value >> bit) & 1) << (31 - bit);
    }
    return reversed;
}

static uint32_t leading_zeros(uint32_t value) {
    uint32_t zeros = 32;
    for (; value; value >>= 1) {
        zeros--;
    }
    return zeros;
}

static uint32_t trailing_zeros(uint32_t value) {
    return value ? 31 - leading_zeros(value & -value) : 32;
}

/* ---- memory: word-wise where both ends allow it, as the emulated peripherals count accesses ---- */

static uint8_t *fill(uint8_t *to, uint32_t byte, uint32_t count) {
    volatile uint8_t *at = to;
    uint32_t word = (byte & 0xff) * 0x01010101u;
    while (count && ((uintptr_t)at & 3)) {
        *at++ = byte;
        count--;
    }
    for (; count >= 4; count -= 4, at += 4) {
        *(volatile uint32_t *)at = word;
    }
    while (count--) {
        *at++ = byte;
    }
    return to;
}

static uint8_t *copy(uint8_t *to, const uint8_t *from, uint32_t count) {
    volatile uint8_t *at = to;
    if ((((uintptr_t)to | (uintptr_t)from) & 3) == 0) {
        for (; count >= 4; count -= 4, at += 4, from += 4) {
            *(volatile uint32_t *)at = *(const uint32_t *)from;
        }
    }
    while (count--) {
        *at++ = *from++;
    }
    return to;
}

/* ---- flash ---- */

static void erase(uint32_t offset, uint32_t count, uint32_t block, uint32_t command) {
    (void)block;
    (void)command;
    fill((uint8_t *)(FLASH + offset), 0xff, count);
}

static void program(uint32_t offset, const uint8_t *from, uint32_t count) {
    copy((uint8_t *)(FLASH + offset), from, count);
}

/* ---- single-precision floats: libgcc does the work ---- */

static float add(float a, float b) { return a + b; }
static float subtract(float a, float b) { return a - b; }
static float multiply(float a, float b) { return a * b; }
static float divide(float a, float b) { return a / b; }
static int32_t to_int(float a) { return (int32_t)a; }
static uint32_t to_uint(float a) { return a < 0 ? 0 : (uint32_t)a; }
static float from_int(int32_t a) { return (float)a; }
static float from_uint(uint32_t a) { return (float)a; }
static int64_t to_int64(float a) { return (int64_t)a; }
static uint64_t to_uint64(float a) { return a < 0 ? 0 : (uint64_t)a; }
static float from_int64(int64_t a) { return (float)a; }
static float from_uint64(uint64_t a) { return (float)a; }
static double to_double(float a) { return a; }

/* By the byte offsets of sf_table.h, a word each; what a pod cannot call stops the machine. */
USED __attribute__((section(".rom_float_table"))) void *const rom_float_table[32] = {
    [0x00 / 4] = add, [0x04 / 4] = subtract, [0x08 / 4] = multiply, [0x0c / 4] = divide,
    [0x10 / 4] = stop, [0x14 / 4] = stop, [0x18 / 4] = stop,
    [0x1c / 4] = to_int, [0x20 / 4] = stop, [0x24 / 4] = to_uint, [0x28 / 4] = stop,
    [0x2c / 4] = from_int, [0x30 / 4] = stop, [0x34 / 4] = from_uint, [0x38 / 4] = stop,
    [0x3c / 4] = stop, [0x40 / 4] = stop, [0x44 / 4] = stop, [0x48 / 4] = stop, [0x4c / 4] = stop,
    [0x50 / 4] = stop, [0x54 / 4] = stop, [0x58 / 4] = stop,
    [0x5c / 4] = from_int64, [0x60 / 4] = stop, [0x64 / 4] = from_uint64, [0x68 / 4] = stop,
    [0x6c / 4] = to_int64, [0x70 / 4] = stop, [0x74 / 4] = to_uint64, [0x78 / 4] = stop, [0x7c / 4] = to_double,
};

/* ---- the tables' ends ---- */

USED void *rom_lookup(const uint16_t *table, uint32_t code) {
    for (; table[0]; table += 2) {
        if (table[0] == code) {
            return (void *)(uintptr_t)table[1];
        }
    }
    return NULL;
}

USED void *const rom_lookup_pointer = rom_lookup;
USED void *const rom_stop_pointer = stop;
USED void *const rom_fn_P3 = count_ones;
USED void *const rom_fn_R3 = reverse_bits;
USED void *const rom_fn_L3 = leading_zeros;
USED void *const rom_fn_T3 = trailing_zeros;
USED void *const rom_fn_MS = fill;
USED void *const rom_fn_S4 = fill;
USED void *const rom_fn_MC = copy;
USED void *const rom_fn_C4 = copy;
USED void *const rom_fn_UB = stop;    /* reset to the USB boot loader */
USED void *const rom_fn_IF = nothing; /* connect the flash */
USED void *const rom_fn_EX = nothing; /* leave execute-in-place */
USED void *const rom_fn_RE = erase;
USED void *const rom_fn_RP = program;
USED void *const rom_fn_FC = nothing; /* flush the flash cache */
USED void *const rom_fn_CX = nothing; /* enter execute-in-place */
