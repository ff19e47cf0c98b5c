package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"breadboard/chains/tables"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// TestRolesPage: the page of files lists what the reader of tables knows, and what files are
// recognised.
func TestRolesPage(t *testing.T) {
	page := string(longtest.Must(os.ReadFile("topics/files.md"))(t))
	rows := ""
	for _, c := range tables.Calls() {
		var names []string
		for _, name := range c.Names {
			if name != "" {
				names = append(names, "`"+name+"`")
			}
		}
		rows += fmt.Sprintf("| %s | %s |\n", c.Role, strings.Join(names, ", "))
	}
	if !strings.Contains(page, "| role | names |\n|---|---|\n"+rows+"\n") {
		t.Errorf("the table of roles must be\n%s", rows)
	}
	rows = ""
	for _, c := range toys.Contents() {
		rows += fmt.Sprintf("| %s | %s | `%s` |\n", c.Name, c.By, c.As)
	}
	if !strings.Contains(page, "| content | written by | read as |\n|---|---|---|\n"+rows+"\n") {
		t.Errorf("the table of contents must be\n%s", rows)
	}
}
