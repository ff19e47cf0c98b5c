package main

import (
	"context"

	"github.com/spf13/cobra"

	"breadboard/experiments/network"
	"breadboard/reports/views/targets"
)

// networkCommand says what a network says of its variables.
func (a *app) networkCommand() *cobra.Command {
	var file, evidence, hide string
	about := subjects[network.Question]{
		what: "elimination",
		flags: func(c *cobra.Command) {
			c.Flags().StringVar(&evidence, "evidence", "", "what has been observed: VARIABLE=VALUE+VARIABLE=VALUE or a file, as in the selector of the toy")
			c.Flags().StringVar(&hide, "hide", "", "variables that nobody asks for: VARIABLE+VARIABLE")
		},
		build: func(context.Context, func(int)) ([]network.Question, error) {
			q, err := network.Ask(file, evidence, hide)
			return []network.Question{q}, err
		},
	}
	c, o, how := questionCommand(a, network.Study(), about, targets.NetworkReport)
	c.Use, c.Args = "network FILE", cobra.ExactArgs(1)
	c.RunE = func(c *cobra.Command, args []string) error {
		file = args[0]
		return answer(a, c.Context(), network.Study(), about, o, *how, targets.NetworkReport)
	}
	return c
}
