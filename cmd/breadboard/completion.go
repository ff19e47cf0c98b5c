package main

import (
	"strings"

	"github.com/spf13/cobra"

	"breadboard/chains/selector"
)

// completeOne has a shell complete a flag that takes one of the choices, and completeList a flag that takes several of them
// with commas between them. Both panic where there is no such flag.
func completeOne(c *cobra.Command, flag string, choices []selector.Completion) {
	register(c, flag, completed(choices, false))
}

func completeList(c *cobra.Command, flag string, choices []selector.Completion) {
	register(c, flag, completed(choices, true))
}

func register(c *cobra.Command, flag string, choose cobra.CompletionFunc) {
	if err := c.RegisterFlagCompletionFunc(flag, choose); err != nil {
		panic(err)
	}
}

// plain returns names as choices without a description.
func plain(names []string) []selector.Completion {
	list := make([]selector.Completion, len(names))
	for i, name := range names {
		list[i].Text = name
	}
	return list
}

// completedOnce has a shell complete a command that takes one of some choices as its only argument.
func completedOnce(choices []selector.Completion) cobra.CompletionFunc {
	choose := completed(choices, false)
	return func(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return choose(c, args, typed)
	}
}

// completed returns the function that offers the choices that begin with the typed text, or in a list with the typed text
// behind the last comma. The shell adds no space where all choices that it offers need arguments.
func completed(choices []selector.Completion, list bool) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		before := ""
		if list {
			before = typed[:strings.LastIndexByte(typed, ',')+1]
		}
		var out []string
		directive := cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
		for _, choice := range choices {
			if text := before + choice.Text; strings.HasPrefix(text, typed) {
				out = append(out, cobra.CompletionWithDesc(text, choice.Doc))
				if !strings.HasSuffix(text, ":") {
					directive = cobra.ShellCompDirectiveNoFileComp
				}
			}
		}
		return out, directive
	}
}
