#include "models/background_work.h"

namespace synperf::ui {

namespace {

constexpr int kPollMs = 60;

}  // namespace

BackgroundWork::BackgroundWork(QObject* parent) : QObject(parent) {
    connect(&poll_, &QTimer::timeout, this, [this] {
        poll_.setInterval(kPollMs);
        emit progressed(share_->load(std::memory_order_relaxed));
    });
}

BackgroundWork::~BackgroundWork() { stop_.request_stop(); }

void BackgroundWork::begin() {
    cancel();
    ++number_;
    stop_ = std::stop_source();
    share_ = std::make_shared<std::atomic<double>>(0.0);
    busy_ = true;
    poll_.start(kShowProgressAfterMs);
}

void BackgroundWork::end() {
    busy_ = false;
    poll_.stop();
    emit ended();
}

void BackgroundWork::cancel() {
    stop_.request_stop();
    if (busy_) end();
}

}  // namespace synperf::ui
