// SPDX-License-Identifier: MIT
/*
 * Plays a loop of wire from an output to a line of a simulated chip, which has no wires.
 *
 *   loop CHIPDIR OUTPUT LOG
 *
 * Watches the level that a program gives to the output, and moves the line that the wire is on to the same level.
 * Standard input says where it is, one line each:
 *
 *   wire GPIO DELAY_US   on this line; every edge comes so long after the output's
 *   lose N               of the changes that follow, every N-th is not passed on (0: none is lost)
 *   off                  on no line
 *   end                  write the log, and end
 *
 * LOG has one line a change of the output that was passed on, "GPIO LEVEL SEEN_NS BEFORE_NS AFTER_NS": CLOCK_MONOTONIC
 * before the reading that showed the change, and around the write that moved the line. The line's edge is between the
 * last two: the kernel stamps it inside that write.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { MAX_LINES = 64, MAX_CHANGES = 1 << 16 };

/* Between two looks at the output: short against a pulse, long enough to leave the processor to others. */
static const int64_t PAUSE_NS = 50000;
/* Standard input is looked at after so many looks at the output. */
static const int LOOKS = 200;

struct change {
	int line;
	int level;
	int64_t seen_ns;
	int64_t before_ns;
	int64_t after_ns;
};

static struct change changes[MAX_CHANGES];
static long change_count;
static const char *folder;
static int pulls[MAX_LINES];
static int wired = -1;
static long delay_us;
static long lose_every, since_lost;

static void die(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fputs("loop: ", stderr);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	va_end(arguments);
	exit(1);
}

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static void rest(int64_t length_ns)
{
	struct timespec t = { length_ns / 1000000000, length_ns % 1000000000 };

	clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
}

static int open_file(int line, const char *name, int flags)
{
	char path[512];
	int fd;

	snprintf(path, sizeof path, "%s/sim_gpio%d/%s", folder, line, name);
	fd = open(path, flags | O_CLOEXEC);
	if (fd < 0)
		die("%s: %s", path, strerror(errno));
	return fd;
}

static int level_of(int fd)
{
	char digit;

	if (pread(fd, &digit, 1, 0) != 1)
		die("the output cannot be read: %s", strerror(errno));
	return digit == '1';
}

static void move_line(int level, int64_t seen_ns)
{
	const char *pull = level ? "pull-up" : "pull-down";
	ssize_t length = strlen(pull);
	struct change *change = &changes[change_count];

	if (change_count == MAX_CHANGES)
		die("more than %d changes", MAX_CHANGES);
	if (delay_us)
		rest(delay_us * 1000);
	change->before_ns = now_ns();
	if (pwrite(pulls[wired], pull, length, 0) != length)
		die("gpio %d cannot be moved: %s", wired, strerror(errno));
	change->after_ns = now_ns();
	change->line = wired;
	change->level = level;
	change->seen_ns = seen_ns;
	change_count++;
}

static void take_off(void)
{
	if (wired >= 0 && pwrite(pulls[wired], "pull-up", 7, 0) != 7)
		die("gpio %d cannot be let go: %s", wired, strerror(errno));
	wired = -1;
}

static void put_on(int line, long delay)
{
	if (line < 0 || line >= MAX_LINES || delay < 0)
		die("no such wire: gpio %d, delay %ld", line, delay);
	take_off();
	if (pulls[line] < 0)
		pulls[line] = open_file(line, "pull", O_WRONLY);
	wired = line;
	delay_us = delay;
}

static void write_log(const char *path)
{
	FILE *file = fopen(path, "w");

	if (!file)
		die("%s: %s", path, strerror(errno));
	for (long i = 0; i < change_count; i++)
		fprintf(file, "%d %d %lld %lld %lld\n", changes[i].line, changes[i].level,
			(long long)changes[i].seen_ns, (long long)changes[i].before_ns,
			(long long)changes[i].after_ns);
	if (fclose(file))
		die("%s: %s", path, strerror(errno));
}

/* Returns 0 where it is time to end. */
static int obey(void)
{
	struct pollfd input = { .fd = 0, .events = POLLIN };
	char text[128];
	int line;
	long number;

	if (poll(&input, 1, 0) != 1)
		return 1;
	if (!fgets(text, sizeof text, stdin) || !strcmp(text, "end\n"))
		return 0;
	if (sscanf(text, "wire %d %ld", &line, &number) == 2)
		put_on(line, number);
	else if (sscanf(text, "lose %ld", &number) == 1)
		lose_every = number, since_lost = 0;
	else if (!strcmp(text, "off\n"))
		take_off();
	else
		die("no such command: %s", text);
	printf("done: %s", text);
	fflush(stdout);
	return 1;
}

int main(int argc, char **argv)
{
	struct sched_param param = { .sched_priority = 10 };
	int output, level, looks = 0;

	if (argc != 4)
		die("usage: loop CHIPDIR OUTPUT LOG");
	folder = argv[1];
	for (int line = 0; line < MAX_LINES; line++)
		pulls[line] = -1;
	setvbuf(stdin, NULL, _IONBF, 0);
	output = open_file(atoi(argv[2]), "value", O_RDONLY);
	level = level_of(output);
	if (mlockall(MCL_CURRENT | MCL_FUTURE))
		die("locking memory: %s", strerror(errno));
	if (sched_setscheduler(0, SCHED_FIFO, &param))
		die("priority 10: %s", strerror(errno));
	puts("ready");
	fflush(stdout);
	for (;;) {
		int64_t seen_ns = now_ns();
		int now = level_of(output);

		if (now != level && wired >= 0 && (!lose_every || ++since_lost % lose_every))
			move_line(now, seen_ns);
		level = now;
		if (++looks % LOOKS == 0 && !obey())
			break;
		rest(PAUSE_NS);
	}
	write_log(argv[3]);
	return 0;
}
