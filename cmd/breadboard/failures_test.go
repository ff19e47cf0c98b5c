package main

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// TestOneBadToy: a toy of a list that a command has no answer to leaves the rows of the others as
// they are without it. It has a row with nothing but the reason, which is on standard error too.
func TestOneBadToy(t *testing.T) {
	longtest.Only(t)
	const good, constant, steep = "cells:0:1/0:2", "cells:0", "cells:0:1e4/0:0"
	for line, bad := range map[string]string{
		"samplers errors -N 2,10":                    constant,
		"samplers laws -N 3":                         constant,
		"samplers diagnose -N 50":                    constant,
		"samplers rank --kernel metropolis,heatbath": constant,
		"couple unbiased --kernel heatbath --lag 1":  constant,
		"temper":                               constant,
		"temper ladder":                        constant,
		"temper compare":                       constant,
		"temper z":                             constant,
		"tightness -T 3 --schedule acceptance": constant,
		"schedule optimize -T 4":               steep,
		"schedule compare -T 4 --schedule optimal:B": steep,
	} {
		alone, _ := answers(t, line, good)
		both, said := answers(t, line, good+","+bad)
		if len(both) < len(alone) {
			t.Errorf("%s: %v, and with %s %v", line, alone, bad, both)
			continue
		}
		for i, row := range both[:len(alone)] {
			if row["note"] == nil && alone[i]["note"] == nil {
				delete(row, "note") // an optional column, which only the other target has
			}
			if !reflect.DeepEqual(row, alone[i]) {
				t.Errorf("%s: %v, and with %s %v", line, alone[i], bad, row)
			}
		}
		if !strings.Contains(said, "cells:0") {
			t.Errorf("%s: %s", line, said)
		}
		if len(both) == len(alone) && !strings.HasPrefix(line, "samplers rank") { // where a row is a kernel's on all toys
			t.Errorf("%s: there is no row of %s", line, bad)
		}
		for _, row := range both[len(alone):] {
			note, has := row["note"]
			if !strings.HasPrefix(row["toy"].(string), "cells:0") || row["toy"] == good || has && note == "" {
				t.Errorf("%s: the row of %s is %v", line, bad, row)
			}
		}
	}
}

// answers returns the rows of a command on some toys, and what it says on standard error.
func answers(t *testing.T, line, toys string) (rows []map[string]any, said string) {
	t.Helper()
	code, stdout, stderr := command(t, append(strings.Fields(line), "--toy", toys, "--format", "json")...)
	if code != 0 {
		t.Fatalf("%s --toy %s: exit code %d, %s", line, toys, code, stderr)
	}
	longtest.NoError(t, json.Unmarshal([]byte(stdout), &rows))
	return rows, stderr
}

// TestCheckOfOneBadToy: a check that cannot look at one of its toys has not passed, though it says
// what it has found of the others.
func TestCheckOfOneBadToy(t *testing.T) {
	code, stdout, stderr := command(t, strings.Fields("ais --chains 512 -T 3 --check --schedule acceptance --toy cells:0:1/0:2,cells:0")...)
	if code != 2 || !strings.Contains(stdout, "cells:0:1/0:2") || !strings.Contains(stderr, "toy cells:0: schedule acceptance") ||
		!strings.Contains(stderr, "not all could be checked") {
		t.Errorf("exit code %d, %s, %s", code, stdout, stderr)
	}
}
