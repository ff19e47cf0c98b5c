package main

import "github.com/spf13/cobra"

// coupleCommand is the command of coupled chains, with those of the best coupling and of the
// unbiased estimator.
func (a *app) coupleCommand() *cobra.Command {
	c := a.derived("couple")
	c.AddCommand(a.derived("couple best"), a.derived("couple unbiased"))
	return c
}
