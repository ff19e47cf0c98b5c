// States of dlib's Gibbs sampler for two coins, given that a witness says that they differ: gibbs
// ERROR SWEEPS SEED
#include <dlib/bayes_utils.h>
#include <dlib/directed_graph.h>
#include <iostream>

int main(int, char** argv) {
    using namespace dlib::bayes_node_utils;
    const double error = std::stod(argv[1]), heads[] = {0.3, 0.6};  // how often the witness is wrong
    dlib::directed_graph<dlib::bayes_node>::kernel_1a_c net;
    net.set_number_of_nodes(3);
    for (int n = 0; n < 3; ++n) set_node_num_values(net, n, 2);
    for (int n = 0; n < 2; ++n) net.add_edge(n, 2);
    dlib::assignment parents;
    for (int n = 0; n < 2; ++n)
        for (int v = 0; v < 2; ++v) set_node_probability(net, n, v, parents, v ? heads[n] : 1 - heads[n]);
    parents.add(0), parents.add(1);
    for (int s = 0; s < 8; ++s) {
        parents[0] = s & 1, parents[1] = s >> 1 & 1;
        const bool truth = parents[0] != parents[1], said = s >> 2;
        set_node_probability(net, 2, said, parents, truth == said ? 1 - error : error);
    }
    set_node_value(net, 2, 1), set_node_as_evidence(net, 2);
    dlib::bayesian_network_gibbs_sampler sampler;
    for (int burnIn = 100 * std::stoi(argv[3]); burnIn > 0; --burnIn) sampler.sample_graph(net);
    std::cout << "x0,x1\n";
    for (int sweeps = std::stoi(argv[2]); sweeps > 0; --sweeps) {
        sampler.sample_graph(net);
        std::cout << node_value(net, 0) << ',' << node_value(net, 1) << '\n';
    }
}
