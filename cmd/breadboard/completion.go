package main

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"breadboard/chains/selector"
	"breadboard/experiments/subject"
)

// addOption, namesIn, completeOne, completeList, completed, among, ofForms, ofKernels and completeFolder are
// of commands that go: conform particles, conform tempering, conform policy, compare, geweke and vectors.
func addOption(c *cobra.Command, name, letter, doc string, v pflag.Value, _ func(string, selector.Beyond) []selector.Completion) {
	f := c.Flags().VarPF(v, name, letter, doc)
	if v.Type() == "bool" {
		f.NoOptDefVal = "true"
	}
}

func completeOne(*cobra.Command, string, any) {}

func completeList(*cobra.Command, string, any) {}

func completed(any, bool) cobra.CompletionFunc { return nil }

func among(any) any { return nil }

func ofForms[E, T any](selector.Set[E, T]) any { return nil }

func ofKernels[E, T any](selector.Set[E, T]) any { return nil }

func completeFolder(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// namesIn returns the names of the parameters of studies, and those of their values, each once.
func namesIn(studies []*subject.Question) (parameters, values []string) {
	add := func(list *[]string, names []string) {
		for _, name := range names {
			if !slices.Contains(*list, name) {
				*list = append(*list, name)
			}
		}
	}
	for _, s := range studies {
		add(&parameters, subject.Names(s.Parameters))
		add(&values, s.ValueNames())
	}
	return parameters, values
}
