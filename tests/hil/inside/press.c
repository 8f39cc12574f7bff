// SPDX-License-Identifier: MIT
/*
 * Plays a pattern of contacts on simulated GPIO lines and writes down when.
 *
 *   press [-c CPU] [-p PRIORITY] [-t THREADS] PATTERN LOG CHIPDIR...
 *
 * PATTERN has one edge a line, "DELAY_US GPIO LEVEL": so long after the edge
 * before it was due, this line goes to that level (0: contact closed, line
 * low). The schedule is absolute, so that lateness does not add up; but when
 * the machine has stood still, the rest is put off by as much: catching up
 * would make presses too short to be any.
 * Each edge is played on every CHIPDIR in turn, and the chip that is first
 * alternates, so that readers of different chips get the same presses.
 *
 * LOG has one line an edge and chip, "CHIP GPIO LEVEL BEFORE_NS AFTER_NS":
 * CLOCK_MONOTONIC around the write that moved the line. The true time of the
 * edge is in between: the kernel stamps it inside that write.
 *
 * With -c all is played from one CPU. With -t 2 the edges are played by turns from two threads on two CPUs, as two
 * players' interrupts may be. PRIORITY is of SCHED_FIFO and stays below the 50
 * of the kernel's interrupt threads: were it above, those threads would have
 * to wait, and the kernel would merge edges that it keeps apart on real boards.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { MAX_CHIPS = 4, MAX_LINES = 64, MAX_THREADS = 8 };

/* A sleep ends late, so the last stretch before an edge is spun. */
static const int64_t SPIN_NS = 200000;
static const int64_t LEAD_IN_NS = 100000000;
/* More than this late is a standstill, not the time that writing takes. */
static const int64_t STANDSTILL_NS = 1000000;

struct edge {
	int64_t due_ns;
	int line;
	int level;
};

struct moment {
	int64_t before_ns;
	int64_t after_ns;
};

static struct edge *edges;
static struct moment *moments; /* edge_count x chip_count, in that order */
static long edge_count;
static int chip_count;
static int pulls[MAX_CHIPS][MAX_LINES];
static int thread_count = 1;
static int first_cpu = -1;
static int64_t start_ns;
static atomic_long turn;
static atomic_llong put_off_ns; /* written by the thread whose turn it is */

static void die(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fputs("press: ", stderr);
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

static void sleep_until(int64_t t_ns)
{
	struct timespec t = { t_ns / 1000000000, t_ns % 1000000000 };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
		;
}

static void read_pattern(const char *path)
{
	FILE *file = fopen(path, "r");
	char text[256];
	long number = 0, room = 0;
	int64_t due_ns = 0;

	if (!file)
		die("%s: %s", path, strerror(errno));
	while (fgets(text, sizeof text, file)) {
		long delay_us;
		int line, level, end = 0;

		number++;
		if (text[0] == '#' || text[0] == '\n')
			continue;
		if (sscanf(text, "%ld %d %d %n", &delay_us, &line, &level, &end) != 3 || text[end])
			die("%s:%ld: not \"DELAY_US GPIO LEVEL\": %s", path, number, text);
		if (delay_us < 0 || line < 0 || line >= MAX_LINES || (level != 0 && level != 1))
			die("%s:%ld: delay >= 0, gpio 0 to %d, level 0 or 1: %s", path, number, MAX_LINES - 1, text);
		if (edge_count == room) {
			room = room ? 2 * room : 1024;
			edges = realloc(edges, room * sizeof *edges);
			if (!edges)
				die("no memory");
		}
		due_ns += delay_us * 1000;
		edges[edge_count++] = (struct edge){ due_ns, line, level };
	}
	fclose(file);
	if (!edge_count)
		die("%s: no edges", path);
}

static void open_lines(int chip, const char *folder)
{
	char path[512];

	for (int line = 0; line < MAX_LINES; line++)
		pulls[chip][line] = -1;
	for (long i = 0; i < edge_count; i++) {
		int *pull = &pulls[chip][edges[i].line];

		if (*pull >= 0)
			continue;
		snprintf(path, sizeof path, "%s/sim_gpio%d/pull", folder, edges[i].line);
		*pull = open(path, O_WRONLY | O_CLOEXEC);
		if (*pull < 0)
			die("%s: %s", path, strerror(errno));
	}
}

static void move_line(long index, int chip)
{
	const struct edge *edge = &edges[index];
	const char *pull = edge->level ? "pull-up" : "pull-down";
	ssize_t length = strlen(pull);
	struct moment *moment = &moments[index * chip_count + chip];

	moment->before_ns = now_ns();
	if (pwrite(pulls[chip][edge->line], pull, length, 0) != length)
		die("edge %ld, chip %d, gpio %d: %s", index, chip, edge->line, strerror(errno));
	moment->after_ns = now_ns();
}

static void *play_share(void *share)
{
	long first = (intptr_t)share;

	for (long index = first; index < edge_count; index += thread_count) {
		int64_t due_ns = start_ns + edges[index].due_ns + atomic_load(&put_off_ns);
		int64_t late_ns;

		if (due_ns - now_ns() > SPIN_NS)
			sleep_until(due_ns - SPIN_NS);
		while (atomic_load(&turn) != index)
			;
		due_ns = start_ns + edges[index].due_ns + atomic_load(&put_off_ns);
		while (now_ns() < due_ns)
			;
		late_ns = now_ns() - due_ns;
		if (late_ns > STANDSTILL_NS)
			atomic_fetch_add(&put_off_ns, late_ns);
		for (int k = 0; k < chip_count; k++)
			move_line(index, (index + k) % chip_count);
		atomic_store(&turn, index + 1);
	}
	return NULL;
}

static void play(int priority)
{
	pthread_t threads[MAX_THREADS];
	int cpus = sysconf(_SC_NPROCESSORS_ONLN);

	start_ns = now_ns() + LEAD_IN_NS;
	for (int i = 0; i < thread_count; i++) {
		struct sched_param param = { .sched_priority = priority };
		pthread_attr_t attributes;
		cpu_set_t own;
		int fault;

		pthread_attr_init(&attributes);
		if (priority) {
			pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
			pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
			pthread_attr_setschedparam(&attributes, &param);
		}
		if (thread_count > 1 || first_cpu >= 0) {
			CPU_ZERO(&own);
			CPU_SET((i + (first_cpu > 0 ? first_cpu : 0)) % cpus, &own);
			pthread_attr_setaffinity_np(&attributes, sizeof own, &own);
		}
		fault = pthread_create(&threads[i], &attributes, play_share, (void *)(intptr_t)i);
		if (fault)
			die("thread %d with priority %d: %s", i, priority, strerror(fault));
	}
	for (int i = 0; i < thread_count; i++)
		pthread_join(threads[i], NULL);
}

static void write_log(const char *path)
{
	FILE *file = fopen(path, "w");

	if (!file)
		die("%s: %s", path, strerror(errno));
	for (long index = 0; index < edge_count; index++)
		for (int chip = 0; chip < chip_count; chip++) {
			const struct moment *moment = &moments[index * chip_count + chip];

			fprintf(file, "%d %d %d %lld %lld\n", chip, edges[index].line, edges[index].level,
				(long long)moment->before_ns, (long long)moment->after_ns);
		}
	if (fclose(file))
		die("%s: %s", path, strerror(errno));
}

static int number(const char *text, const char *what, int least, int most)
{
	char *end;
	long value = strtol(text, &end, 10);

	if (*end || end == text || value < least || value > most)
		die("%s must be %d to %d, not %s", what, least, most, text);
	return value;
}

int main(int argc, char **argv)
{
	int option, priority = 10;

	while ((option = getopt(argc, argv, "c:p:t:")) != -1)
		switch (option) {
		case 'c':
			first_cpu = number(optarg, "the CPU", 0, CPU_SETSIZE - 1);
			break;
		case 'p':
			priority = number(optarg, "the priority (0: none)", 0, 49);
			break;
		case 't':
			thread_count = number(optarg, "the number of threads", 1, MAX_THREADS);
			break;
		default:
			return 2;
		}
	chip_count = argc - optind - 2;
	if (chip_count < 1 || chip_count > MAX_CHIPS)
		die("usage: press [-c CPU] [-p PRIORITY] [-t THREADS] PATTERN LOG CHIPDIR... (1 to %d chips)",
		    MAX_CHIPS);

	read_pattern(argv[optind]);
	for (int chip = 0; chip < chip_count; chip++)
		open_lines(chip, argv[optind + 2 + chip]);
	moments = calloc(edge_count * chip_count, sizeof *moments);
	if (!moments)
		die("no memory for %ld edges", edge_count);
	memset(moments, 0xff, edge_count * chip_count * sizeof *moments); /* no page faults between edges */
	if (mlockall(MCL_CURRENT | MCL_FUTURE))
		die("locking memory: %s", strerror(errno));
	play(priority);
	write_log(argv[optind + 1]);
	return 0;
}
