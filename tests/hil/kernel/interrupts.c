// SPDX-License-Identifier: MIT OR GPL-2.0-or-later
/*
 * The kernel's interrupt simulator, made fit for life in a module: it uses
 * irq_to_desc(), which modules may not call, and exports names that nobody
 * outside this module needs.
 */
#include <linux/export.h>
#include <linux/irq.h>
#include <linux/irqdesc.h>
#include <linux/irqnr.h>

static inline struct irq_desc *descriptor_of(unsigned int irq)
{
	return irq_data_to_desc(irq_get_irq_data(irq));
}
#define irq_to_desc(irq) descriptor_of(irq)

#undef EXPORT_SYMBOL_GPL
#define EXPORT_SYMBOL_GPL(name)

#include "irq_sim.c"
