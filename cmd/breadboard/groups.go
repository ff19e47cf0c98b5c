package main

import (
	"github.com/spf13/cobra"

	"breadboard/experiments/subject"
	"breadboard/reports/views"
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

// groups returns all commands, by the question that one has. The folders of experiments and of
// reports/views have the names of the groups but the last, and the package of a command has the
// name of the command.
func (a *app) groups() []group {
	derived := func(name string) entry { return entry{name, func() *cobra.Command { return a.derived(name) }} }
	return []group{
		{"annealing", "One annealing:", []entry{
			{"tightness", a.tightnessCommand}, derived("gap"), {"weights", a.weightsCommand}, {"schedule", a.scheduleCommand},
			derived("subjective"), derived("success"), {"represent", a.representCommand},
			{"ais", a.aisCommand},
		}},
		{"particles", "Particles and meta-inference:", []entry{{"smc", a.smcCommand}, {"aide", a.aideCommand}, {"policy", a.policyCommand}}},
		{"marginal", "Estimates of log Z:", []entry{{"evidence", a.evidenceCommand}, {"sandwich", a.sandwichCommand}}},
		{"mcmc", "Markov chains:", []entry{{"samplers", a.samplersCommand}, {"couple", a.coupleCommand}, {"temper", a.temperCommand}}},
		{"networks", "Networks:", []entry{{"network", func() *cobra.Command { return annotate(a.networkCommand(), pathArguments) }}}},
		{"checks", "Is the code right?", []entry{
			{"conform", a.conformCommand}, {"kernel", a.kernelCommand}, {"law", a.lawCommand}, derived("sbc"),
			derived("power"), {"vectors", a.vectorsCommand},
		}},
		{"sweeps", "Sweeps:", []entry{{"sweep", a.sweepCommand}}},
		{"data", "Targets and results:", []entry{{"toys", a.toysCommand}, {"export", a.exportCommand}, {"report", a.reportCommand}, {"serve", a.serveCommand}}},
		{itself, "About breadboard itself:", []entry{{"reproduce", a.reproduceCommand}, {"version", a.versionCommand}}},
	}
}

// addGroups adds the commands below their headings: all of them, the only one if the command line
// begins with its name, or none if the front page is asked for. Making all of them takes longer
// than many a question.
func (a *app) addGroups(root *cobra.Command) {
	if len(a.args) == 1 && (a.args[0] == "--help" || a.args[0] == "-h") {
		return
	}
	list := a.groups()
	for _, g := range list {
		for _, e := range g.commands {
			if len(a.args) > 0 && a.args[0] == e.name {
				add(root, group{g.name, g.title, []entry{e}})
				return
			}
		}
	}
	for _, g := range list {
		add(root, g)
	}
}

// add adds the commands of a group.
func add(root *cobra.Command, g group) {
	root.AddGroup(&cobra.Group{ID: g.name, Title: g.title})
	for _, e := range g.commands {
		c := e.make()
		c.GroupID = g.name
		root.AddCommand(c)
	}
}

// studies returns the catalogue, which is made once.
func (a *app) studies() []*views.Entry {
	if a.catalogue == nil {
		a.catalogue = views.Catalogue()
	}
	return a.catalogue
}

// sweeps returns the studies that can be swept.
func (a *app) sweeps() []*subject.Question { return views.Swept(a.studies()) }
