package main

import (
	"slices"

	"github.com/spf13/cobra"

	"breadboard/cmd/catalogue"
	"breadboard/experiments/study"
	"breadboard/experiments/sweeps/sweep"
)

// group is a heading of the list of commands, with those below it.
type group struct {
	name, title string
	commands    []entry
}

// entry is a command by its name, which is made when it is needed: a command line needs one of all.
type entry struct {
	name string
	make func() *cobra.Command
}

func init() { cobra.EnableCommandSorting = false } // the main command of a group stands first

// groups returns all commands, by the question that one has. The package of a command has its name.
func (a *app) groups() []group {
	derived := func(name string) entry {
		return entry{name, func() *cobra.Command { return a.derived(name) }}
	}
	return []group{
		{"annealing", "Annealing:", []entry{
			{"tightness", a.tightnessCommand}, derived("gap"), {"weights", a.weightsCommand},
			{"schedule", a.scheduleCommand},
			derived("subjective"), derived("success"), {"represent", a.representCommand},
			{"ais", a.aisCommand},
		}},
		{"methods", "Particles, log Z, Markov chains and networks:", []entry{
			{"smc", a.smcCommand}, {"aide", a.aideCommand}, {"policy", a.policyCommand},
			{"evidence", a.evidenceCommand}, {"sandwich", a.sandwichCommand},
			{"samplers", a.samplersCommand}, {"couple", a.coupleCommand}, {"temper", a.temperCommand},
			{"network", func() *cobra.Command { return annotate(a.networkCommand(), pathArguments) }},
		}},
		{"checks", "Is the code right?", []entry{
			{"conform", a.conformCommand}, {"kernel", a.kernelCommand}, {"law", a.lawCommand}, derived("sbc"),
			derived("power"), {"vectors", a.vectorsCommand},
		}},
		{"results", "Sweeps, targets and results:", []entry{
			{"sweep", a.sweepCommand},
			{"toys", a.toysCommand},
			{"export", a.exportCommand}, {"report", a.reportCommand}, {"serve", a.serveCommand}, {"reproduce", a.reproduceCommand},
		}},
	}
}

// addGroups adds the commands below their headings: all of them, or the only one if the command
// line begins with its name. Making all of them takes longer than many a question.
func (a *app) addGroups(root *cobra.Command) {
	named := slices.ContainsFunc(a.groups(), func(g group) bool {
		return slices.ContainsFunc(g.commands, func(e entry) bool { return len(a.args) > 0 && a.args[0] == e.name })
	})
	for _, g := range a.groups() {
		root.AddGroup(&cobra.Group{ID: g.name, Title: g.title})
		for _, e := range g.commands {
			if named && a.args[0] != e.name {
				continue
			}
			c := e.make()
			c.GroupID = g.name
			root.AddCommand(c)
		}
	}
	root.CompletionOptions = cobra.CompletionOptions{HiddenDefaultCmd: true, DisableNoDescFlag: true}
}

// studies returns the catalogue, which is made once.
func (a *app) studies() []*study.Declaration {
	if a.catalogue == nil {
		a.catalogue = catalogue.Studies()
	}
	return a.catalogue
}

// sweeps returns the studies that can be swept.
func (a *app) sweeps() sweep.Studies {
	return sweep.Studies{Forms: a.reader.Forms, List: catalogue.Swept(a.studies())}
}
