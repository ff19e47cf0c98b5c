package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// Schema describes a table of a command. Its columns do not depend on the content of the table.
type Schema struct {
	Command string // the words of the command behind the program's name, such as "schedule optimize"
	Table   string // the name of the table, after which its files are called; or TableOfToy
	Study   string // the study that is swept, where the columns depend on it
	InFile  bool   // the table is written to a file only
	// the flag that has the command show this table in the place of those without one, or ByFiles;
	// empty if none does
	By     string
	Of     *table.Table // has its columns
	People *table.Table // has those of the table that people see in its place; nil if that is Of
}

// TableOfToy stands for the name of a table that is called after its toy.
const TableOfToy = "TOY"

// ByFiles as By says that the command shows the table if it is given files.
const ByFiles = "FILE"

// Columns returns the columns in the formats for machines.
func (s *Schema) Columns() []table.Column {
	return slices.DeleteFunc(slices.Clone(s.Of.Columns), func(c table.Column) bool { return c.Name == "" })
}

func (s *Schema) name() string {
	return TableName(strings.ReplaceAll(s.Command, " ", "_"), s.Table)
}

// TablesOf returns what users call the tables of a command, each once.
func TablesOf(tables []Schema) (names []string) {
	for _, s := range tables {
		if name := s.name(); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// CheckGiven fails if a name is that of a table of a command, or of a column of its tables, that is
// only there with a flag that is not given.
func CheckGiven(tables []Schema, names []string, given func(flag string) bool) error {
	for _, name := range names {
		var with []string // the flags of what has the name
		for _, s := range tables {
			for i, c := range s.Of.Columns {
				if c.Name == name || c.Title == name || i == 0 && (s.Table == name || s.name() == name) {
					with = append(with, c.With)
				}
			}
		}
		if len(with) > 0 &&
			!slices.ContainsFunc(with, func(flag string) bool { return flag == "" || given(flag) }) {
			return errs.New("%s is there with {"+with[0]+"} alone; give that too", name)
		}
	}
	return nil
}

// CheckColumns fails if a name is that of no column of the results of a command, in a format. The
// results are the table that only names, and otherwise all tables that are not only in files, or
// those that a given flag shows. The error is about the table that has most of the names, and
// suggests the nearest name.
func CheckColumns(all []Schema, command, only string, f table.Format, names []string,
	given func(flag string) bool) error {
	var tables []*table.Table
	shown := slices.DeleteFunc(slices.Clone(all), func(s Schema) bool {
		return only == "" && s.InFile || only != "" && s.name() != only && s.Table != only
	})
	by := slices.ContainsFunc(shown, func(s Schema) bool { return s.By != "" && given(s.By) })
	for _, s := range shown {
		switch {
		case only == "" && (s.By != "") != by || by && !given(s.By):
		case f.ForMachines():
			tables = append(tables, s.Of)
		default:
			tables = append(tables, cmp.Or(s.People, s.Of))
		}
	}
	if len(tables) == 0 {
		return fmt.Errorf("%s shows no table", command)
	}
	return table.CheckSelected(tables, f, names)
}

// CheckConditions fails if a condition is about no column of numbers of the tables of a command or
// of the further columns, and about no name of their rows. If a table does not declare these names,
// they are known when it is made.
func CheckConditions(tables []Schema, more []table.Column, conditions []table.Condition,
	given func(flag string) bool) error {
	var known []string
	for _, s := range tables {
		if s.By != "" && s.By != ByFiles && !given(s.By) {
			continue
		}
		for _, c := range append(s.Columns(), more...) {
			if c.Labels != "" && c.Names == nil {
				return nil
			}
			known = append(known, c.Names...)
			if c.Type != columns.String && c.Type != columns.Bool && !slices.Contains(known, c.Name) {
				known = append(known, c.Name)
			}
		}
	}
	for _, c := range conditions {
		if !slices.ContainsFunc(known, func(name string) bool {
			beginning, open := strings.CutSuffix(name, "*")
			return name == c.Column || open && strings.HasPrefix(c.Column, beginning)
		}) {
			return fmt.Errorf("condition %s: %w", c, selector.UnknownError("column of numbers", c.Column, known))
		}
	}
	return nil
}
