package main

import (
	"cmp"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"breadboard/cmd/catalogue"
	"breadboard/reports"
	"breadboard/reports/columns"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// commandHelp is what programs are told of a command.
type commandHelp struct {
	Command   string           `json:"command"` // its words, as in "samplers errors"; empty for the program
	Commands  []string         `json:"commands,omitempty"`
	Arguments bool             `json:"arguments"` // whether it takes words that are no flags
	Question  string           `json:"question"`
	Details   string           `json:"details,omitempty"`
	Examples  string           `json:"examples,omitempty"`
	Flags     []flagHelp       `json:"flags,omitempty"`   // its own
	Common    []flagHelp       `json:"common,omitempty"`  // those of all commands
	Columns   []columns.Column `json:"columns,omitempty"` // of its tables
}

// flagHelp is what programs are told of a flag.
type flagHelp struct {
	Name    string `json:"name"`              // or its letter, if it is known by that
	Unit    string `json:"unit,omitempty"`    // what a value is; empty for a switch
	Several bool   `json:"several,omitempty"` // whether there may be more than one value
	Repeats bool   `json:"repeats,omitempty"` // whether each value needs the flag again
	Means   string `json:"means"`
	Default string `json:"default,omitempty"` // as it is written on the command line
}

// writeHelp writes the help of a command as JSON, and without one that of all commands: a list.
func (a *app) writeHelp(to io.Writer, c *cobra.Command) error {
	list := helpBelow(c, catalogue.SchemasOf(commandName(c)))
	if c.HasParent() {
		list = list[:1]
	}
	for i := range list {
		list[i].Question, list[i].Details = a.inWords(list[i].Question), a.inWords(list[i].Details)
		for _, flags := range [][]flagHelp{list[i].Flags, list[i].Common} {
			for k := range flags {
				flags[k].Means = a.inWords(flags[k].Means)
			}
		}
	}
	return json.NewEncoder(to).Encode(list)
}

// helpBelow returns the help of a command, and behind it that of all below it.
func helpBelow(c *cobra.Command, tables []reports.Schema) []commandHelp {
	h := commandHelp{
		Command: commandName(c), Examples: c.Example,
		Arguments: len(strings.Fields(c.Use)) > 1 && !strings.HasPrefix(strings.Fields(c.Use)[1], "-"),
	}
	h.Question, h.Details = firstSentence(cmp.Or(c.Long, c.Short))
	h.Flags = helpOfFlags(c.LocalFlags())
	if h.Common = helpOfFlags(c.InheritedFlags()); !c.HasParent() {
		h.Flags, h.Common = nil, h.Flags
	}
	for _, s := range tables {
		if s.Command == h.Command {
			h.Columns = append(h.Columns, s.Columns()...)
		}
	}
	list := []commandHelp{h}
	for _, below := range c.Commands() {
		if below.IsAvailableCommand() && below.Name() != "completion" {
			list[0].Commands = append(list[0].Commands, below.Name())
			list = append(list, helpBelow(below, tables)...)
		}
	}
	return list
}

// helpOfFlags returns what is told of flags, in the order of the headings of help, and then those
// of many commands.
func helpOfFlags(flags *pflag.FlagSet) (list []flagHelp) {
	for _, h := range append(headings(), heading{"", ofMany}) {
		flags.VisitAll(func(f *pflag.Flag) {
			if f.Name == "help" || f.Hidden || aspectOf(f) != h.of {
				return
			}
			unit := ""
			if f.NoOptDefVal == "" {
				unit = unitOf(f)
			}
			_, means := pflag.UnquoteUsage(f)
			told := flagHelp{
				Name: shortName(f), Unit: strings.TrimRight(unit, ".,"), Several: strings.HasSuffix(unit, "..."),
				Repeats: f.Value.Type() == "stringArray", Means: means,
			}
			if d := strings.Trim(f.DefValue, "[]"); !slices.Contains([]string{"", "0", "0s", "false"}, d) {
				told.Default = d
			}
			list = append(list, told)
		})
	}
	return list
}
