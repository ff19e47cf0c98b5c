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
		"aide study hmm":        {"meta=1"},
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

// addQuick gives these commands the flag --quick. What a flag says that is given beside it holds.
func addQuick(root *cobra.Command) {
	for path, settings := range quickSettings() {
		c, _, err := root.Find(strings.Fields(path))
		if err != nil {
			panic(err) // the list names a command that is not there
		}
		var quick bool
		c.Flags().BoolVar(&quick, "quick", false, "answer within two seconds, with --"+strings.Join(settings, " --")+" where nothing else is said")
		before := c.PreRunE
		c.PreRunE = func(c *cobra.Command, args []string) error {
			for _, setting := range settings {
				name, value, _ := strings.Cut(setting, "=")
				if !quick || c.Flags().Changed(name) {
					continue
				}
				if err := c.Flags().Set(name, value); err != nil {
					return fmt.Errorf("--quick sets --%s: %w", setting, err)
				}
			}
			if before != nil {
				return before(c, args)
			}
			return nil
		}
	}
}
