package main

import (
	"context"

	"github.com/spf13/cobra"

	"breadboard/chains/errs"
	"breadboard/experiments/programs"
	"breadboard/experiments/subject"
)

// lawCommand prints the distribution of what a program returns.
func (a *app) lawCommand() *cobra.Command {
	var selector string
	about := subjects{
		what:  "starting the program",
		flags: func(*cobra.Command) {},
		build: func(context.Context, subject.Reader, func(int)) (on any, err error) {
			f, err := a.startFunction(selector, "exec:python3 dice.py")
			return []*programs.Function{f}, err
		},
	}
	d := a.deriveOn(a.studyOf("law"), about) // an argument names the program
	d.Use, d.Args = "law exec:COMMAND", takes(1, 1)
	d.RunE = func(c *cobra.Command, args []string) error {
		selector = args[0]
		return a.answer(c.Context(), d)
	}
	return d.Command
}

// startFunction starts the program of a selector, such as the example, which asks for its choices.
func (a *app) startFunction(selector, example string) (*programs.Function, error) {
	command, is := programs.CommandOf(selector)
	if !is {
		return nil, errs.New(`%q names no program; write exec:COMMAND, as in "%s"`, selector, example)
	}
	return a.reader.Programs.StartFunction(command)
}
