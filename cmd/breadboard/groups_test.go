package main

import (
	"strings"
	"testing"

	"breadboard/grid/longtest"
	"breadboard/reports/views"
)

// TestFormerNames: a command is found by the name that it had once, shows the tables that it has by the name of now, and no help lists it.
func TestFormerNames(t *testing.T) {
	longtest.NotShort(t)
	for former, now := range map[string]string{
		"crosscheck": "selfcheck simulations", "evidence check": "selfcheck evidence", "sandwich check": "selfcheck sandwich", "aide check": "selfcheck aide",
	} {
		words := strings.Fields(former)
		old, _, err := (&app{}).rootCommand().Find(words)
		if err != nil || !old.Runnable() {
			t.Errorf("%s: %v", former, err)
			continue
		}
		current, _, err := (&app{}).rootCommand().Find(strings.Fields(now))
		if err != nil || current.Long != old.Long {
			t.Errorf("%s is not what %s is: %v", former, now, err)
		}
		if listed, _ := ok(t, append(words[:len(words)-1:len(words)-1], "--help")...); strings.Contains(listed, "\n  "+words[len(words)-1]+" ") {
			t.Errorf("the help lists %s", former)
		}
		if s := views.SchemasOf(former); len(s) == 0 || len(s) != len(views.SchemasOf(now)) {
			t.Errorf("%s has %d tables", former, len(s))
		}
	}
}

// TestGroups: every command that the help lists stands below a heading, apart from those about the program itself.
func TestGroups(t *testing.T) {
	own := []string{"completion", "help", "man", "version"}
	for _, c := range (&app{}).rootCommand().Commands() {
		if about := strings.Contains(strings.Join(own, " "), c.Name()); c.IsAvailableCommand() && (c.GroupID == "") != about {
			t.Errorf("%s is below %q", c.Name(), c.GroupID)
		}
	}
}

// TestNamesOfCommands: a command has the name under which it is made alone.
func TestNamesOfCommands(t *testing.T) {
	longtest.NotShort(t)
	for _, g := range (&app{}).groups() {
		for _, e := range g.commands {
			alone := (&app{args: []string{e.name}}).rootCommand()
			if c, _, err := alone.Find([]string{e.name}); err != nil || c.Name() != e.name {
				t.Errorf("%s is made as %s: %v", e.name, c.Name(), err)
			}
		}
	}
}
