package main

import (
	"errors"
	"strings"

	"breadboard/reports/table"
)

// conditionsValue is a flag that takes conditions on the columns of a table, separated by commas, and adds to them where it is
// repeated.
type conditionsValue []table.Condition

func (v *conditionsValue) Type() string { return "CONDITIONS" }
func (v *conditionsValue) String() string {
	parts := make([]string, len(*v))
	for i, c := range *v {
		parts[i] = c.String()
	}
	return strings.Join(parts, ",")
}

func (v *conditionsValue) Set(s string) error {
	conditions, err := table.ParseConditions(s)
	if err != nil {
		return err
	}
	*v = append(*v, conditions...)
	return nil
}

// unheld returns an error where conditions were given to a command that shows no table, and nil elsewhere.
func (o *output) unheld() error {
	if len(o.required) > 0 && !o.held {
		return badInput(errors.New("--check-that: this command shows no table whose rows could hold conditions; leave it out"))
	}
	return nil
}
