package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"breadboard/chains/selector"
	"breadboard/experiments/sandwich/compare"
	"breadboard/experiments/study"
	"breadboard/reports"
	"breadboard/toys/models"
)

func (a *app) sandwichFitCommand() *cobra.Command {
	var data string
	s, how := compare.FitStudy(), study.How{}
	o := s.Standard
	c := declared(s, &o, &how, func(c *cobra.Command) (err error) {
		if o.Table, err = readData(data); err != nil {
			return err
		}
		return answer(a, c.Context(), s, alone(), &o, how, reports.SandwichFitReport)
	})
	c.Flags().StringVar(&data, "data", "", "`FILE` of the data in CSV")
	return c
}

// readData reads the table of --data.
func readData(path string) (*models.Table, error) {
	if path == "" {
		return nil, badInput(errors.New("no data; give a file with --data, as in --data FILE.csv"))
	}
	text, err := selector.ReadFile(path, compare.MaxFittedBytes)
	if err != nil {
		return nil, ioFailure(fmt.Errorf("--data: %w", err))
	}
	table, err := models.ParseNamedTable(text, compare.FittedLimits())
	if err != nil {
		return nil, badInput(fmt.Errorf("--data %s: %w", path, err))
	}
	return table, nil
}
