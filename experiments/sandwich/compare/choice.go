package compare

import "breadboard/chains/selector"

// form is how a model is selected.
type form = selector.Form[selector.Nothing, Model]

// FittedModels are the forms of the selectors of models, in the order in which they are listed.
func FittedModels() selector.Set[selector.Nothing, Model] {
	return selector.Set[selector.Nothing, Model]{What: "model", Forms: []func() form{clusteringForm, lowRankForm, binaryForm, linearForm, logisticForm, seriesForm}}
}

// ParseModel returns the model of a selector.
func ParseModel(text string) (Model, error) { return FittedModels().Parse(text, selector.Nothing{}) }
