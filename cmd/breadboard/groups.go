package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"breadboard/experiments/ais"
	"breadboard/experiments/represent"
	"breadboard/reports"
	"breadboard/reports/views"
	"breadboard/reports/views/annealing"
)

// group is a heading of the list of commands, with those below it.
type group struct {
	name, title string
	commands    []*cobra.Command
}

// groups returns all commands by what one wants of them, in the order of the help.
func (a *app) groups() []group {
	studies := views.Catalogue() // made once, since every command line passes here
	a.studies = views.Swept(studies)
	derived := func(name string) *cobra.Command {
		return a.derived(studies[slices.IndexFunc(studies, func(s *views.Study) bool { return s.Name == name })])
	}
	list := []group{
		{"studies", "Studies:", []*cobra.Command{
			a.tightnessCommand(), derived("gap"), a.weightsCommand(), a.scheduleCommand(), derived("subjective"), studyCommand(a, represent.Study(), a.represented(10, 100, 1000), annealing.RepresentReport), a.sweepCommand(),
		}},
		{"samplers", "Estimators and samplers:", []*cobra.Command{
			studyCommand(a, ais.Study(), a.annealings(1000), func(rows []ais.Row) *reports.Report { return annealing.AISReport(rows, inFlags) }), a.smcCommand(derived("smc")), a.aideCommand(), a.evidenceCommand(), a.sandwichCommand(), a.samplersCommand(), a.coupleCommand(), a.temperCommand(),
		}},
		{"yours", "Check my code:", []*cobra.Command{a.conformCommand(), a.kernelCommand(), a.gewekeCommand()}},
		{"look", "Look at targets and results:", []*cobra.Command{
			a.toysCommand(), annotate(a.networkCommand(), pathArguments), a.serveCommand(), a.reportCommand(), annotate(a.compareCommand(), pathArguments), a.exportCommand(),
		}},
		{"self", "Check breadboard:", []*cobra.Command{a.reproduceCommand(), a.selfcheckCommand()}},
	}
	return a.withDerived(list, studies)
}

// withDerived adds to the studies the commands that derive from the catalogue alone and stand in no group yet.
func (a *app) withDerived(list []group, studies []*views.Study) []group {
	for _, s := range studies {
		there := slices.ContainsFunc(list, func(g group) bool {
			return slices.ContainsFunc(g.commands, func(c *cobra.Command) bool { return c.Name() == s.Name })
		})
		if s.Erased != nil && !there {
			list[0].commands = append(list[0].commands, a.derived(s))
		}
	}
	return list
}

// addGroups adds the commands of groups to the root, below their headings.
func addGroups(root *cobra.Command, list []group) {
	for _, g := range list {
		root.AddGroup(&cobra.Group{ID: g.name, Title: g.title})
		for _, c := range g.commands {
			c.GroupID = g.name
			root.AddCommand(c)
		}
	}
}

// selfcheckCommand tests breadboard itself. Its commands have older names too, which no help lists.
func (a *app) selfcheckCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "selfcheck",
		Short: "Does breadboard itself compute what it says?",
		Long: `selfcheck holds what breadboard computes in two ways against each other: its simulations, its estimators and its
meta-inference against the exact laws, which are computed without any of their code. To check code of your own see conform,
kernel check and geweke.`,
		Example: "  breadboard selfcheck simulations\n  breadboard selfcheck evidence\n  breadboard selfcheck aide smc:2:systematic",
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(
		named("simulations", a.crosscheckCommand()), named("evidence", a.evidenceCheckCommand()), named("sandwich", a.sandwichCheckCommand()),
		named("aide", a.aideCheckCommand()))
	return c
}

// named gives a command another name.
func named(name string, c *cobra.Command) *cobra.Command {
	_, arguments, _ := strings.Cut(c.Use, " ")
	c.Use = strings.TrimSpace(name + " " + arguments)
	return c
}

// former returns a command under the name that it had once: it can be run, and no help lists it.
func former(c *cobra.Command) *cobra.Command {
	c.Hidden = true
	return c
}
