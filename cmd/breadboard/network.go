package main

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"breadboard/chains/errs"
	"breadboard/experiments/networks/network"
	"breadboard/experiments/subject"
	"breadboard/toys"
)

// networkCommand says what a network says of its variables.
func (a *app) networkCommand() *cobra.Command {
	var file, evidence, hide, out string
	about := subjects{
		what: "elimination",
		flags: func(c *cobra.Command) {
			c.Flags().Var(summed(&evidence, "VARIABLE=VALUE+..."), "evidence", "")
			c.Flags().StringVar(&out, "write", "", "")
			c.Flags().Var(summed(&hide, "VARIABLE+..."), "hide", "")
		},
		build: func(context.Context, subject.Reader, func(int)) (on any, err error) {
			q, err := a.reader.Forms.Factored(file, evidence, hide)
			return []toys.Product{q}, err
		},
	}
	d := a.deriveOn(a.studyOf("network"), about) // an argument names the network
	d.Use, d.Args = "network FILE", takes(1, 1)
	d.RunE = func(c *cobra.Command, args []string) error {
		file = args[0]
		if out != "" {
			return a.writeNetwork(c, file, out)
		}
		for _, flag := range []string{"format", "columns", "table", "check-that", "plot"} {
			if f := c.Flag(flag); d.o.(*network.Options).Samples > 0 && a.output.dir == "" && f.Changed &&
				f.Value.String() != "csv" {
				return badInput(errs.New(
					"--%s beside --samples, which prints CSV in place of the table; write --out DIR for both",
					flag,
				))
			}
		}
		return a.answer(c.Context(), d)
	}
	return d.Command
}

// writeNetwork writes a network to a file.
func (a *app) writeNetwork(c *cobra.Command, from, to string) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		if f.Name != "write" {
			err = errs.New("--%s beside --write, which writes the network alone; leave one of them out", f.Name)
		}
	})
	q, asked := a.reader.Forms.Factored(from, "", "")
	err = cmp.Or(err, asked)
	if err != nil {
		return badInput(err)
	}
	data, err := q.BIF(to)
	if err != nil {
		return badInput(fmt.Errorf("--write: %w", err))
	}
	folder, name, err := a.openFile("--write "+to, to)
	if err != nil {
		return err
	}
	if _, err := folder.Write(name, data); err != nil {
		return ioFailure(err)
	}
	for _, note := range q.Notes {
		a.note("%s", note)
	}
	if len(q.Seen()) > 0 {
		a.note("what has been observed is not written; give it by --evidence")
	}
	a.note("wrote %s: %s", filepath.Clean(to), q.Describe())
	return nil
}
