package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"breadboard/chains/selector"
	"breadboard/experiments/sandwich/compare"

	"breadboard/reports/views/marginal"
	"breadboard/toys/models"
)

func (a *app) sandwichFitCommand() *cobra.Command {
	var data string
	c, o, _ := questionCommand(a, compare.FitStudy(), alone(), marginal.SandwichFitReport)
	answer := c.RunE
	c.RunE = func(c *cobra.Command, args []string) (err error) {
		if o.Table, err = readData(data); err != nil {
			return err
		}
		return answer(c, args)
	}
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
