package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"breadboard/grid/longtest"
)

// TestOneMap: the package of a command has the name of the command, and each room of reports/views
// is one of experiments.
func TestOneMap(t *testing.T) {
	for _, g := range (&app{}).groups() {
		for _, c := range g.commands {
			if slices.Contains([]string{"toys", "report", "serve"}, c.name) {
				continue // they show what there is, and no experiment is behind them
			}
			if found, err := filepath.Glob("../../experiments/*/" + c.name); err != nil || len(found) != 1 {
				t.Errorf("the command %s has the packages %v, %v", c.name, found, err)
			}
		}
	}
	for _, room := range longtest.Must(os.ReadDir("../../reports/views"))(t) {
		if name := room.Name(); room.IsDir() && name != "internal" && name != "testdata" &&
			!exists("../../experiments/"+name) {
			t.Errorf("reports/views/%s is no room of experiments", name)
		}
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
