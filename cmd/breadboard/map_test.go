package main

import (
	"os"
	"slices"
	"testing"

	"breadboard/grid/longtest"
)

// TestOneMap: the groups of the help but that about breadboard itself, the folders of experiments
// and the rooms of reports/views are one list, and the package of a command has the name of the
// command.
func TestOneMap(t *testing.T) {
	folders := func(path string, besides ...string) (names []string) {
		for _, e := range longtest.Must(os.ReadDir(path))(t) {
			if e.IsDir() && !slices.Contains(besides, e.Name()) {
				names = append(names, e.Name())
			}
		}
		return names
	}
	var groups []string
	for _, g := range (&app{}).groups() {
		if g.name == itself {
			continue // it has no room of its own
		}
		groups = append(groups, g.name)
		for _, c := range g.commands {
			if slices.Contains([]string{"toys", "report", "serve"}, c.name) {
				continue // they show what there is, and no experiment is behind them
			}
			if path := "../../experiments/" + g.name + "/" + c.name; !exists(path) {
				t.Errorf("the command %s of the group %s has no package %s", c.name, g.name, path)
			}
		}
	}
	slices.Sort(groups)
	if got := folders("../../experiments", "columns", "draws", "internal", "placement", "programs", "study", "subject", "verdicts"); !slices.Equal(got, groups) {
		t.Errorf("the folders of experiments are %v, and the groups of the help %v", got, groups)
	}
	for _, room := range folders("../../reports/views", "internal", "testdata") {
		if !slices.Contains(groups, room) {
			t.Errorf("reports/views/%s is no group of the help: %v", room, groups)
		}
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
