// SPDX-License-Identifier: MIT OR GPL-2.0-or-later
/*
 * The kernel's simulated GPIO chip, with one difference: a button that is held
 * down stays down when a program claims its line.
 *
 * Upstream, claiming a line with a pull-up sets the line high, as if the
 * resistor inside the chip were stronger than the button. On a real board the
 * button wins. With contacts_win=1 (the default) the bias is taken note of and
 * changes nothing: the level is what was last written to "pull".
 */
#include <linux/module.h>
#include <linux/pinctrl/pinconf-generic.h>

static bool contacts_win = true;
module_param(contacts_win, bool, 0644);
MODULE_PARM_DESC(contacts_win, "claiming a line with a bias leaves its level alone");

static inline enum pin_config_param line_setting(unsigned long config)
{
	enum pin_config_param setting = pinconf_to_config_param(config);

	/* A setting the chip does not know is optional to gpiolib: no error. */
	if (contacts_win && (setting == PIN_CONFIG_BIAS_PULL_UP ||
			     setting == PIN_CONFIG_BIAS_PULL_DOWN))
		return PIN_CONFIG_END;
	return setting;
}
#define pinconf_to_config_param(config) line_setting(config)

#include "gpio-sim.c"
