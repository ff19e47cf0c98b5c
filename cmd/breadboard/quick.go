package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// quickSettings are the settings of commands that take longer than two seconds with their defaults, under which they answer within one on a
// core: the same question, asked of less.
func quickSettings() map[string][]string {
	return map[string][]string{
		"aide study":            {"meta=1"},
		"samplers calibrate":    {"samples=100"},
		"samplers laws":         {"samples=10"},
		"samplers meta":         {"repeats=1"},
		"sandwich compare":      {"budget=100ms"},
		"schedule compare":      {"distributions=10"},
		"selfcheck simulations": {"chains=32768"},
		"tightness":             {"distributions=10,100"},
		"weights":               {"frequencies=4096"},
	}
}

// addQuick gives those of these commands that stand below a command the flag --quick. What a flag says that is given beside it holds.
func addQuick(c *cobra.Command) {
	for _, below := range c.Commands() {
		addQuick(below)
	}
	settings := quickSettings()[commandName(c)]
	if settings == nil {
		return
	}
	var quick bool
	c.Flags().BoolVar(&quick, "quick", false, "answer within two seconds, with --"+strings.Join(settings, " --")+" where nothing else is said")
	before(c, func() error {
		for _, setting := range settings {
			name, value, _ := strings.Cut(setting, "=")
			if !quick || c.Flags().Changed(name) {
				continue
			}
			if err := c.Flags().Set(name, value); err != nil {
				return fmt.Errorf("--quick sets --%s: %w", setting, err)
			}
		}
		return nil
	})
}

// before has a command call a function before it runs, and before all that it calls already, and fail where that fails.
func before(c *cobra.Command, first func() error) {
	next := c.PreRunE
	c.PreRunE = func(c *cobra.Command, args []string) error {
		if err := first(); err != nil || next == nil {
			return err
		}
		return next(c, args)
	}
}
