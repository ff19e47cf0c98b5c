package main

import (
	"path/filepath"
	"slices"
	"testing"
)

// TestOneMap: the package of a command has the name of the command.
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
}
