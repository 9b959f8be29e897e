// A server that runs until a signal tells it to end.
#pragma once

namespace course::serve {
class Server;
}

namespace course::cli {

void run_until_told(serve::Server&);

} // namespace course::cli
